/**
 * An input for the IP addresses from which a credential may be used. It validates the addresses, and users can test
 * whether an address is allowed.
 */

import { Group, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { IconCircleCheck, IconCircleX, IconInfoCircle } from "@tabler/icons-react";
import { useState } from "react";
import { t } from "../../text/index.ts";
import { isAddress, isAddressRange, rangeOf } from "../format/index.ts";

export interface AddressListProps {
  readonly value: readonly string[];
  readonly onChange: (ranges: string[]) => void;
  /** The service's error. */
  readonly error?: string | undefined;
}

const linesOf = (text: string): string[] =>
  text
    .split(/[\n,;]/)
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Returns an error message for invalid entries, if there are any. */
function faultOf(ranges: readonly string[]): string | undefined {
  const wrong = ranges.filter((range) => !isAddressRange(range));
  return wrong.length === 0 ? undefined : t.addresses.wrong(wrong.join(", "));
}

export function AddressList({ value, onChange, error }: AddressListProps) {
  const [text, setText] = useState(() => value.join("\n"));
  return (
    <Stack gap="xs">
      <Textarea
        label={t.addresses.label}
        description={t.addresses.hint}
        placeholder={"192.0.2.0/24\n2001:db8::/32"}
        autosize
        minRows={2}
        maxRows={10}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          onChange(linesOf(currentTarget.value));
        }}
        error={faultOf(value) ?? error}
        errorProps={{ "aria-live": "polite" }}
      />
      <AddressTest ranges={value} />
    </Stack>
  );
}

/** Tests whether an address is allowed. */
function AddressTest({ ranges }: { readonly ranges: readonly string[] }) {
  const [address, setAddress] = useState("");
  const trimmed = address.trim();
  const range = rangeOf(trimmed, ranges);
  return (
    <Group gap="sm" align="flex-end">
      <TextInput
        label={t.addresses.trial}
        placeholder="192.0.2.17"
        spellCheck={false}
        w={{ base: "100%", xs: 280 }}
        value={address}
        onChange={({ currentTarget }) => setAddress(currentTarget.value)}
      />
      <Text size="sm" role="status" mih={36} lh="36px">
        {trimmed === "" ? null : !isAddress(trimmed) ? (
          <Verdict icon={IconInfoCircle} text={t.addresses.none} />
        ) : ranges.length === 0 ? (
          <Verdict icon={IconCircleCheck} text={t.addresses.byAll} />
        ) : range !== undefined ? (
          <Verdict icon={IconCircleCheck} text={t.addresses.by(range)} />
        ) : (
          <Verdict icon={IconCircleX} text={t.addresses.refused} />
        )}
      </Text>
    </Group>
  );
}

interface VerdictProps {
  readonly icon: typeof IconCircleCheck;
  readonly text: string;
}

const Verdict = ({ icon: Pictured, text }: VerdictProps) => (
  <Group gap={6} component="span" wrap="nowrap" display="inline-flex">
    <Pictured size={18} aria-hidden />
    {text}
  </Group>
);
