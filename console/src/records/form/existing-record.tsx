/** Shown if a matching record already exists. The user can open this record or create another record. */

import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { IconUserExclamation } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { t } from "../../text/index.ts";
import { pageOf, type RecordType, typeLabel } from "../../record/index.ts";
import { LinkButton } from "../../ui/states/index.ts";
import { recordQuery } from "../../requests/index.ts";

export interface ExistingRecordProps {
  readonly type: RecordType;
  readonly id: string;
  /** The service's message. */
  readonly detail: string;
  readonly isSending: boolean;
  readonly onCreate: () => void;
}

/**
 * Whether another record can be created. Records may share an email address or phone number, but no value that must be
 * unique.
 */
const isShareable = (type: RecordType, detail: string): boolean =>
  type.mergeable && !/external_id|_num/.test(detail);

export function ExistingRecord({ type, id, detail, isSending, onCreate }: ExistingRecordProps) {
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
              {t.record.createAnyway}
            </Button>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}
