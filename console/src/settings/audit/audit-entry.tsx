/** One entry in the audit log: actor, action, item, time and changes. */

import { ActionIcon, Group, Paper, Text, UnstyledButton } from "@mantine/core";
import { IconFilter } from "@tabler/icons-react";
import type { Change } from "@leadport/client";
import { t } from "../../text/index.ts";
import { StatusBadge, Time } from "../../ui/lists/index.ts";
import { AuditChanges } from "./audit-changes.tsx";
import { AuditSubject } from "./audit-subject.tsx";
import { subjectLabel } from "./audit-words.ts";
import type { AuditSearch } from "../search/index.ts";
import classes from "./audit-entry.module.css";

const text = t.audit;

export interface AuditEntryProps {
  readonly entry: Change;
  readonly onNarrow: (part: AuditSearch) => void;
}

export function AuditEntry({ entry, onNarrow }: AuditEntryProps) {
  const { actor, action, subject_type, subject_id, request_id } = entry;
  const who = actor.kind === "service" ? text.service : actor.name;
  return (
    <Paper withBorder component="li" p="sm" className={classes.entry}>
      <Group gap="xs" justify="space-between" align="center">
        <Group gap="xs">
          <UnstyledButton
            className={classes.actor}
            onClick={() => onNarrow({ actor_id: actor.id })}
            aria-label={text.onlyThisActor(who)}
            title={text.onlyThisActor(who)}
          >
            <Text size="sm" fw={600} component="span">
              {who}
            </Text>
          </UnstyledButton>
          <StatusBadge value={action} />
          <Text size="sm" component="span" c="dimmed">
            {subjectLabel(subject_type)}
          </Text>
          <Group gap={4} wrap="nowrap" miw={0}>
            <Text size="sm" component="span" className={classes.value}>
              <AuditSubject entry={entry} />
            </Text>
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
        </Group>
        <Text
          size="sm"
          c="dimmed"
          title={request_id == null ? undefined : text.request(request_id)}
        >
          <Time at={Date.parse(entry.at) / 1000} />
        </Text>
      </Group>
      <AuditChanges entry={entry} />
    </Paper>
  );
}
