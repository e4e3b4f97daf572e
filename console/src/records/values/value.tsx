/** A value of a record as it is shown: in a cell of a table, or beside its label. */

import { Anchor, Badge, Group, Text } from "@mantine/core";
import { useSession } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { mailHref, money, number, percent, phoneHref, words } from "../../ui/format/index.ts";
import { StatusBadge, Time } from "../../ui/lists/index.ts";
import { TextLink } from "../../ui/states/index.ts";
import {
  type Entry,
  kindOf,
  pageOf,
  type RecordType,
  referenceOf,
  type Stored,
} from "../record/index.ts";

export interface ValueProps {
  readonly type: RecordType;
  readonly record: Stored;
  readonly name: string;
}

export function Value({ type, record, name }: ValueProps) {
  const { tenant } = useSession();
  const value = record[name];
  if (value === null || value === undefined || value === "") return t.common.none;
  if (Array.isArray(value) && value.length === 0) return t.common.none;
  switch (kindOf(type, name)) {
    case "status":
      return <StatusBadge value={String(value)} />;
    case "word":
      return words(String(value));
    case "tags":
      return (
        <Group gap={4}>
          {(value as readonly string[]).map((tag) => (
            <Badge key={tag} variant="default" tt="none" fw={500}>
              {tag}
            </Badge>
          ))}
        </Group>
      );
    case "number":
      return number(Number(value));
    case "share":
      return percent(Number(value));
    case "money":
      return money(Number(value), tenant.currency);
    case "moment":
      return <Time at={Number(value)} />;
    case "flag":
      return value === true ? t.common.yes : t.common.no;
    case "email":
      return (
        <Anchor inherit href={mailHref(String(value))}>
          {String(value)}
        </Anchor>
      );
    case "phone":
      return (
        <Anchor inherit href={phoneHref(String(value))}>
          {String(value)}
        </Anchor>
      );
    case "emails":
    case "phones":
      return <Entries entries={value as readonly Entry[]} />;
    case "link":
      return <WebLink address={String(value)} />;
    case "reference": {
      const to = referenceOf(type, name);
      const shown = record[name.replace(/_id$/, "_name")] ?? value;
      if (to === undefined) return String(shown);
      return (
        <TextLink inherit to={pageOf(to, String(value))}>
          {String(shown)}
        </TextLink>
      );
    }
    case "lines":
      return number((value as readonly unknown[]).length);
    case "socials":
      return (value as readonly { readonly type?: string; readonly platform?: string }[])
        .map(({ type: kind, platform }) => words(kind ?? platform ?? ""))
        .join(", ");
    case "object":
      return typeof value === "string" ? value : JSON.stringify(value);
    case "long_text":
      return (
        <Text inherit style={{ whiteSpace: "pre-wrap" }}>
          {String(value)}
        </Text>
      );
    case "text":
      return String(value);
  }
}

/** Addresses or numbers, one below the other, each with its type. */
const Entries = ({ entries }: { readonly entries: readonly Entry[] }) =>
  entries.map(({ type, email, phone = "", country, formatted_phone }, at) => (
    <span
      key={at}
      style={{ display: "flex", flexWrap: "wrap", columnGap: 6, alignItems: "baseline" }}
    >
      {email === undefined ? (
        <Anchor inherit href={phoneHref(formatted_phone == null ? phone : `+${phone}`)}>
          {formatted_phone ?? phone}
        </Anchor>
      ) : (
        <Anchor inherit href={mailHref(email)}>
          {email}
        </Anchor>
      )}
      <Text span size="xs" c="dimmed">
        {[type, country].filter(Boolean).join(" · ")}
      </Text>
    </span>
  ));

/** A link to the web, where the text is an address of it; else the text. */
function WebLink({ address }: { readonly address: string }) {
  const href = /^https?:\/\//i.test(address) ? address : `https://${address}`;
  if (!URL.canParse(href)) return address;
  return (
    <Anchor inherit href={href} target="_blank" rel="noreferrer noopener">
      {address}
    </Anchor>
  );
}
