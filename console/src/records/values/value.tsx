/** A record's value, formatted to be shown next to its label or among other values. */

import { Badge, Group, Text } from "@mantine/core";
import { useSession } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { money, number, percent, words } from "../../ui/format/index.ts";
import { Moment, NestedValue, StatusBadge } from "../../ui/lists/index.ts";
import {
  type Entry,
  kindOf,
  momentText,
  type RecordType,
  referenceAt,
  type Stored,
} from "../../record/index.ts";
import { PartnerLink, PushedLeadLink, RecordLink, UserName } from "../../names/index.ts";
import { Entries, MailLink, Phone, Profiles, WebLink } from "./addresses.tsx";

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
  const reference = referenceAt(type, record, name);
  if (reference !== undefined) return <RecordLink {...reference} />;
  switch (kindOf(type, name)) {
    case "status":
      return <StatusBadge value={String(value)} />;
    case "choice":
    case "keyword":
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
    case "integer":
      return number(Number(value));
    case "fraction":
      return percent(Number(value));
    case "money":
      return money(Number(value), tenant.currency);
    case "datetime":
      return <Moment at={Number(value)} text={momentText(name, Number(value))} />;
    case "boolean":
      return value === true ? t.common.yes : t.common.no;
    case "email":
      return <MailLink address={String(value)} />;
    case "phone":
      return <Phone record={record} text={String(value)} />;
    case "emails":
    case "phones":
      return <Entries entries={value as readonly Entry[]} />;
    case "url":
      return <WebLink address={String(value)} />;
    case "partner":
      return <PartnerLink id={String(value)} />;
    case "pushed_lead":
      return <PushedLeadLink id={String(value)} />;
    case "user":
      return <User record={record} name={name} id={String(value)} />;
    case "lines":
      return t.record.lineCount((value as readonly unknown[]).length);
    case "social_profiles":
      return <Profiles profiles={value as readonly Profile[]} />;
    case "object":
      return <NestedValue value={value} />;
    case "long_text":
      return (
        <Text inherit style={{ whiteSpace: "pre-wrap" }}>
          {String(value)}
        </Text>
      );
    case "reference":
    case "subject":
    case "year":
    case "ssn":
    case "id":
    case "text":
      return typeof value === "object" ? <NestedValue value={value} /> : String(value);
  }
}

type Profile = Readonly<Record<string, unknown>>;

interface UserProps {
  readonly record: Stored;
  readonly name: string;
  readonly id: string;
}

/** A user's name. The owner's name need not be looked up, because the record contains it. */
function User({ record: { userid, user_name }, name, id }: UserProps) {
  const isOwner = name === "userid" || id === userid;
  return isOwner && typeof user_name === "string" ? user_name : <UserName id={id} />;
}
