/** Somebody who is to be created is known already: open the one that is there, or make another. */

import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { IconUserExclamation } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { t } from "../../text/index.ts";
import { pageOf, type RecordType, typeLabel } from "../record/index.ts";
import { LinkButton } from "../../ui/states/index.ts";
import { recordQuery } from "../requests/index.ts";

export interface KnownProps {
  readonly type: RecordType;
  readonly id: string;
  /** The service's sentence. */
  readonly detail: string;
  readonly isSending: boolean;
  readonly onCreate: () => void;
}

/** Two may share an address or a number, but nothing else that is unique. */
const isShareable = (type: RecordType, detail: string): boolean =>
  type.sameBy !== undefined && !/external_id|_num/.test(detail);

export function Known({ type, id, detail, isSending, onCreate }: KnownProps) {
  const known = useQuery(recordQuery(type, id));
  const alert = useRef<HTMLDivElement>(null);
  useEffect(() => alert.current?.focus(), []);
  const one = typeLabel(type).one;
  return (
    <Alert
      ref={alert}
      tabIndex={-1}
      role="alert"
      variant="default"
      icon={<IconUserExclamation aria-hidden />}
      title={t.record.knownTitle(one)}
    >
      <Stack gap="sm">
        <Text size="sm">
          {detail}
          {known.data !== undefined && `: ${known.data.name}`}
        </Text>
        <Group gap="xs">
          <LinkButton to={pageOf(type, id)} size="xs" variant="default">
            {t.record.openKnown}
          </LinkButton>
          {isShareable(type, detail) && (
            <Button size="xs" variant="default" loading={isSending} onClick={onCreate}>
              {t.record.createAllTheSame}
            </Button>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}
