/** A record's fields: main fields are always shown, other fields only if they have a value. */

import { Divider, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { kindFor } from "../../kinds/index.ts";
import { t } from "../../text/index.ts";
import {
  fieldLabel,
  isApplicable,
  isCondition,
  type RecordType,
  type Stored,
  subjectType,
} from "../../record/index.ts";
import { type Entry, isMain } from "../../record/lists/index.ts";
import { Value } from "./value.tsx";
import classes from "./record-page.module.css";
import { isNothing, words } from "../../ui/format/index.ts";
import { Section } from "../../ui/frame/index.ts";
import { fieldsInOrder } from "../form/index.ts";

export interface DetailsProps {
  readonly type: RecordType;
  readonly record: Stored;
}

/** Returns the fields that the page header already shows. */
const inHeader = ({ status_field }: RecordType): ReadonlySet<string> =>
  new Set(["name", "tags", "userid", status_field]);

/** Returns the derived fields that are not shown elsewhere. */
function derivedShown(type: RecordType, record: Stored): readonly string[] {
  return Object.values(type.members)
    .filter(({ writable, origin }) => {
      return !writable && (origin?.rule === "operation" || origin?.rule === "computed");
    })
    .map(({ name }) => name)
    .filter((name) => typeof record[name] !== "boolean");
}

const PARTS = new Set(["first_name", "last_name"]);

/** Whether the first and last name together are the same as the full name. */
const isSplit = ({ name, first_name, last_name }: Stored): boolean =>
  [first_name, last_name].filter((part) => !isNothing(part)).join(" ") === name;

/**
 * Whether another field already shows the same value. This applies to lists that contain only the main address or
 * number, and to the parts of the name.
 */
export function isRepeated(type: RecordType, record: Stored, name: string): boolean {
  if (PARTS.has(name)) return isSplit(record);
  if (kindFor(type, name).mainField === undefined) return false;
  return ((record[name] ?? []) as readonly Entry[]).every(isMain);
}

export function Details({ type, record }: DetailsProps) {
  const head = inHeader(type);
  const { main, more } = fieldsInOrder(type);
  const isShown = (name: string) =>
    !head.has(name) &&
    isApplicable(type, name, record) &&
    !isRepeated(type, record, name) &&
    !isCondition(type, name) &&
    name !== type.subject_fields?.id;
  const others = [...more, ...derivedShown(type, record)].filter(
    (name) => isShown(name) && !isNothing(record[name]),
  );
  return (
    <Section title={t.record.details}>
      <Stack gap="md">
        <Fields type={type} record={record} names={main.filter(isShown)} />
        {others.length > 0 && (
          <>
            <Divider />
            <Fields type={type} record={record} names={others} />
          </>
        )}
        <Divider />
        <Fields
          type={type}
          record={record}
          names={["created_ts", "created_by_userid", "updated_ts", "status_update_date"]}
        />
      </Stack>
    </Section>
  );
}

interface FieldsProps extends DetailsProps {
  readonly names: readonly string[];
}

const Fields = ({ type, record, names }: FieldsProps) => (
  <dl className={classes["fields"]}>
    {names.map((name) => (
      <div key={name} className={kindFor(type, name).isWide ? classes["wide"] : undefined}>
        <dt>
          {name === type.subject_fields?.type
            ? fieldLabel(type.subject_fields.id)
            : fieldLabel(name)}
        </dt>
        <dd>{shown(type, record, name)}</dd>
      </div>
    ))}
  </dl>
);

function shown(type: RecordType, record: Stored, name: string): ReactNode {
  const value = record[name];
  if (isNothing(value)) return t.common.none;
  const { Detail } = kindFor(type, name);
  if (Detail !== undefined) {
    return <Detail type={type} record={record} name={name} value={value} />;
  }
  // A task's subject is shown once, as the name of the record.
  if (name === type.subject_fields?.type) {
    if (subjectType(value) !== undefined) {
      return <Value type={type} record={record} name={type.subject_fields.id} />;
    }
    return [words(String(value)), record[type.subject_fields.id]]
      .filter((part) => !isNothing(part))
      .join(" ");
  }
  return <Value type={type} record={record} name={name} />;
}
