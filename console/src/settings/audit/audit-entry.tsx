/** One entry of the audit: who did what to what, and each field as it was and as it became. */

import {
  ActionIcon,
  Button,
  Group,
  Paper,
  Table,
  Text,
  UnstyledButton,
  VisuallyHidden,
} from "@mantine/core";
import { IconArrowRight, IconFilter } from "@tabler/icons-react";
import type { Change } from "@leadport/client";
import { useState } from "react";
import { fieldLabel } from "../../records/record/index.ts";
import { t } from "../../text/index.ts";
import { dateTime } from "../../ui/format/index.ts";
import { StatusBadge, Time } from "../../ui/lists/index.ts";
import { subjectLabel, subjectPage } from "./audit-words.ts";
import type { AuditSearch } from "../search/index.ts";
import classes from "./audit-entry.module.css";
import { TextLink } from "../../ui/states/index.ts";

const text = t.audit;
const FIELDS_SHOWN = 4;

export interface AuditEntryProps {
  readonly entry: Change;
  readonly onNarrow: (part: AuditSearch) => void;
}

export function AuditEntry({ entry, onNarrow }: AuditEntryProps) {
  const { actor, action, subject_type, subject_id, request_id } = entry;
  const page = subjectPage(entry);
  const who = actor.kind === "service" ? text.service : actor.name;
  return (
    <Paper withBorder component="li" p="sm" className={classes.entry}>
      <Group gap="xs" justify="space-between" align="center">
        <Group gap="xs">
          <UnstyledButton
            className={classes.actor}
            onClick={() => onNarrow({ actor_id: actor.id })}
            aria-label={text.onlyThisActor(who)}
          >
            <Text size="sm" fw={600} component="span">
              {who}
            </Text>
          </UnstyledButton>
          <StatusBadge value={action} />
          <Text size="sm" component="span">
            {subjectLabel(subject_type)}
          </Text>
          {page !== undefined ? (
            <TextLink to={page} size="sm" ff="monospace">
              {subject_id}
            </TextLink>
          ) : (
            <Text size="sm" component="span" ff="monospace">
              {subject_id}
            </Text>
          )}
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={text.onlyThisSubject}
            title={text.onlyThisSubject}
            onClick={() => onNarrow({ subject_type, subject_id })}
          >
            <IconFilter size={16} aria-hidden />
          </ActionIcon>
        </Group>
        <Text
          size="sm"
          c="dimmed"
          title={request_id == null ? undefined : text.request(request_id)}
        >
          <Time at={Date.parse(entry.at) / 1000} />
        </Text>
      </Group>
      <Fields entry={entry} />
    </Paper>
  );
}

function Fields({ entry: { fields } }: { readonly entry: Change }) {
  const [isOpen, setOpen] = useState(false);
  const told = Object.entries(fields).filter(
    ([, { old, new: now }]) => !isEmpty(old) || !isEmpty(now),
  );
  if (told.length === 0) return null;
  const shown = isOpen ? told : told.slice(0, FIELDS_SHOWN);
  return (
    <>
      <Table mt="xs" verticalSpacing={4} className={classes.fields} withRowBorders={false}>
        <Table.Tbody>
          {shown.map(([name, { old, new: now }]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" fw={400} c="dimmed">
                {fieldLabel(name)}
              </Table.Th>
              <Table.Td>
                <Change old={shownValue(name, old)} now={shownValue(name, now)} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {told.length > shown.length && (
        <Button variant="subtle" size="compact-sm" mt={4} onClick={() => setOpen(true)}>
          {text.showAll(told.length)}
        </Button>
      )}
    </>
  );
}

interface ChangeProps {
  readonly old: string | undefined;
  readonly now: string | undefined;
}

/** What was there before stands only where there was something. */
function Change({ old, now }: ChangeProps) {
  if (old === undefined)
    return (
      <Text size="sm" className={classes.value}>
        {now ?? text.emptyValue}
      </Text>
    );
  return (
    <Group gap={6} wrap="wrap">
      <Text size="sm" component="span" c="dimmed" className={classes.value}>
        <VisuallyHidden>{text.was} </VisuallyHidden>
        {old}
      </Text>
      <IconArrowRight size={14} aria-hidden />
      <Text size="sm" component="span" className={classes.value}>
        <VisuallyHidden>{text.became} </VisuallyHidden>
        {now ?? text.emptyValue}
      </Text>
    </Group>
  );
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === "" ||
  (Array.isArray(value) && value.length === 0);

/** Undefined where there is nothing. Stamps are told by their names: they end in `_ts`, in seconds. */
function shownValue(name: string, value: unknown): string | undefined {
  if (isEmpty(value)) return undefined;
  if (name.endsWith("_ts") && typeof value === "number") return dateTime(value);
  if (typeof value === "boolean") return value ? t.common.yes : t.common.no;
  if (Array.isArray(value) && value.every((one) => typeof one !== "object")) {
    return value.join(", ");
  }
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
