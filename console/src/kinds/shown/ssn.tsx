/**
 * A social security number: masked, or revealed for 30 seconds to users who have the permission.
 */

import { Button, Group, Text } from "@mantine/core";
import { IconEye, IconEyeOff } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { ask, sentenceOf, useMay, useSending } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { readPath, type RecordType, type Stored } from "../../record/index.ts";

export interface SsnProps {
  readonly type: RecordType;
  readonly record: Stored;
}

const SHOWN_ms = 30_000;

interface Revealed {
  readonly ssn: string;
  /**
   * When to hide the number again. This is a timestamp, because browsers throttle timers in
   * background tabs.
   */
  readonly until_ms: number;
}

export function SocialSecurityNumber({ type, record }: SsnProps) {
  const mayReveal = useMay("ssn:read");
  const [revealed, setRevealed] = useState<Revealed>();
  const [now_ms, setNow] = useState(0);
  const revealing = useSending(
    async () =>
      (await ask<Stored>("get", readPath(type, record._id), { query: { reveal: "ssn" } })).data,
    ({ ssn }) => {
      setNow(Date.now());
      setRevealed({
        ssn: typeof ssn === "string" ? ssn : t.record.noNumber,
        until_ms: Date.now() + SHOWN_ms,
      });
    },
  );
  useEffect(() => {
    if (revealed === undefined) return undefined;
    const timer = setInterval(() => {
      setNow(Date.now());
      if (Date.now() >= revealed.until_ms) setRevealed(undefined);
    }, 1000);
    return () => clearInterval(timer);
  }, [revealed]);
  const isShown = revealed !== undefined;
  return (
    <Group gap="xs">
      <span aria-live="polite">{revealed?.ssn ?? String(record["ssn"])}</span>
      {mayReveal && (
        <Button
          size="compact-xs"
          variant="default"
          loading={revealing.isSending}
          leftSection={
            isShown ? <IconEyeOff size={14} aria-hidden /> : <IconEye size={14} aria-hidden />
          }
          onClick={() => (isShown ? setRevealed(undefined) : revealing.send(undefined))}
        >
          {isShown ? t.record.hide : t.record.reveal}
        </Button>
      )}
      {isShown && (
        <Text span size="xs" c="dimmed">
          {t.record.revealedFor(Math.ceil((revealed.until_ms - now_ms) / 1000))}
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
