/** The changes in an audit log entry: the old and new value of each field. */

import { Button, Group, Table, Text, VisuallyHidden } from "@mantine/core";
import { IconArrowRight } from "@tabler/icons-react";
import type { Change } from "@leadport/client";
import { useState, type ReactNode } from "react";
import { RecordLink } from "../../names/index.ts";
import { type Draft, fieldLabel, findType } from "../../record/index.ts";
import { ShownValue, shownFields } from "../../records/values/index.ts";
import { t } from "../../text/index.ts";
import { isNothing } from "../../ui/format/index.ts";
import classes from "./audit-entry.module.css";
import { SettingValue } from "./setting-value.tsx";

const text = t.audit;
const FIELDS_SHOWN = 4;
/** Members of a deleted record that are not shown, because they are redundant or internal. */
const INTERNAL = /^(_?id|version|created_by_userid|(created|updated|status_updated)_date)$/;

export function AuditChanges({ entry }: { readonly entry: Change }) {
  const [isOpen, setOpen] = useState(false);
  const names = namesIn(entry);
  if (names.length === 0) return null;
  const shown = isOpen ? names : names.slice(0, FIELDS_SHOWN);
  return (
    <>
      <Table mt="xs" verticalSpacing={4} className={classes.fields} withRowBorders={false}>
        <Table.Tbody>
          {shown.map((name) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" fw={400} c="dimmed">
                {text.fields[name] ?? fieldLabel(name)}
              </Table.Th>
              <Table.Td>
                <BeforeAfter entry={entry} name={name} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {names.length > shown.length && (
        <Button variant="subtle" size="compact-sm" mt={4} onClick={() => setOpen(true)}>
          {text.showAll(names.length)}
        </Button>
      )}
    </>
  );
}

/** Returns the changed fields to show. Derived, internal and empty fields are left out. */
function namesIn(entry: Change): readonly string[] {
  const type = findType(entry.subject_type);
  const names = type === undefined ? Object.keys(entry.fields) : shownFields(type, entry);
  return names.filter((name) => {
    if (INTERNAL.test(name)) return false;
    const change = entry.fields[name];
    return change !== undefined && !(isNothing(change.old) && isNothing(change.new));
  });
}

interface FieldProps {
  readonly entry: Change;
  readonly name: string;
}

function BeforeAfter({ entry, name }: FieldProps) {
  const change = entry.fields[name];
  // Created items have no old values; deleted items have no new values.
  const isNew = isNothing(change?.old);
  if (entry.action === "deleted") {
    return (
      <Text size="sm" component="div" className={classes.value}>
        <ValueOf entry={entry} name={name} when="old" />
      </Text>
    );
  }
  return (
    <Group gap={6} wrap="wrap">
      {!isNew && (
        <>
          <VisuallyHidden>{text.was} </VisuallyHidden>
          <Text size="sm" component="div" c="dimmed" className={classes.value}>
            <ValueOf entry={entry} name={name} when="old" />
          </Text>
          <VisuallyHidden> {text.became} </VisuallyHidden>
          <IconArrowRight size={14} aria-hidden />
        </>
      )}
      <Text size="sm" component="div" className={classes.value}>
        <ValueOf entry={entry} name={name} when="new" />
      </Text>
    </Group>
  );
}

interface ValueOfProps extends FieldProps {
  readonly when: "old" | "new";
}

function ValueOf({ entry, name, when }: ValueOfProps): ReactNode {
  const type = findType(entry.subject_type);
  const value: unknown = entry.fields[name]?.[when];
  if (isNothing(value)) return text.emptyValue;
  if (name === "merged_into" && type !== undefined)
    return <RecordLink to={type} id={String(value)} />;
  if (type === undefined) return <SettingValue name={name} value={value} />;
  const values: Draft = Object.fromEntries(
    Object.entries(entry.fields).map(([other, both]) => [other, both[when]]),
  );
  return <ShownValue type={type} values={values} name={name} />;
}
