/** A social security number: masked, and whole for half a minute for whoever may see it. */

import { Button, Group, Text } from "@mantine/core";
import { IconEye, IconEyeOff } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { ask } from "../../api/client.ts";
import { sentenceOf } from "../../api/issues.ts";
import { useMay } from "../../api/session.ts";
import { t } from "../../text/index.ts";
import { useSending } from "../../ui/use-sending.ts";
import { readPath, type RecordType, type Stored } from "../record-types.ts";

export interface SsnProps {
  readonly type: RecordType;
  readonly record: Stored;
}

const SHOWN_s = 30;

export function SocialSecurityNumber({ type, record }: SsnProps) {
  const mayReveal = useMay("ssn:read");
  const [whole, setWhole] = useState<string>();
  const [left_s, setLeft] = useState(0);
  const revealing = useSending(
    async () =>
      (await ask<Stored>("get", readPath(type, record._id), { query: { reveal: "ssn" } })).data,
    ({ ssn }) => {
      setWhole(typeof ssn === "string" ? ssn : t.record.noNumber);
      setLeft(SHOWN_s);
    },
  );
  useEffect(() => {
    if (whole === undefined) return undefined;
    if (left_s === 0) {
      setWhole(undefined);
      return undefined;
    }
    const timer = setTimeout(() => setLeft(left_s - 1), 1000);
    return () => clearTimeout(timer);
  }, [whole, left_s]);
  const isShown = whole !== undefined;
  return (
    <Group gap="xs">
      <span aria-live="polite">{whole ?? String(record["ssn"])}</span>
      {mayReveal && (
        <Button
          size="compact-xs"
          variant="default"
          loading={revealing.isSending}
          leftSection={
            isShown ? <IconEyeOff size={14} aria-hidden /> : <IconEye size={14} aria-hidden />
          }
          onClick={() => (isShown ? setWhole(undefined) : revealing.send(undefined))}
        >
          {isShown ? t.record.hide : t.record.reveal}
        </Button>
      )}
      {isShown && (
        <Text span size="xs" c="dimmed">
          {t.record.revealedFor(left_s)}
        </Text>
      )}
      {revealing.error !== null && (
        <Text span size="xs" c="red" role="alert">
          {sentenceOf(revealing.error)}
        </Text>
      )}
    </Group>
  );
}
