/** The header of a record page: name, status, owner and actions. */

import { Alert, Badge, Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconCheck, IconCircleCheck, IconPencil } from "@tabler/icons-react";
import { Link, useNavigate } from "@tanstack/react-router";
import { useQueryClient } from "@tanstack/react-query";
import { ask, useMay } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { ConfirmButton } from "../../ui/forms/index.ts";
import { BackLink, Failure } from "../../ui/states/index.ts";
import { PageHeader } from "../../ui/frame/index.ts";
import { StatusBadge } from "../../ui/lists/index.ts";
import {
  isConverted,
  pageOf,
  type RecordType,
  type Stored,
  typeNamed,
  typeLabel,
  writePath,
} from "../../record/index.ts";
import { RecordLink } from "../../names/index.ts";
import { Convert } from "./convert.tsx";
import { RecordMenu } from "./record-menu.tsx";
import { StatusMenu, TagsEditor, useEditing } from "../editing/index.ts";
import { recordQuery, refreshLists } from "../../requests/index.ts";

export interface RecordHeaderProps {
  readonly type: RecordType;
  readonly record: Stored;
  readonly isEditing: boolean;
  readonly onEdit: () => void;
}

export function RecordHeader({ type, record, isEditing, onEdit }: RecordHeaderProps) {
  const mayWrite = useMay("records:write");
  const { user_name: owner } = record;
  const isOver = isConverted(type, record);
  return (
    <>
      <BackLink to="/$type" params={{ type: type.plural }}>
        {typeLabel(type).many}
      </BackLink>
      <PageHeader
        title={record.name}
        actions={
          <>
            <RecordMenu type={type} record={record} />
            {mayWrite && type.deletable && <Delete type={type} record={record} />}
            {mayWrite && type.name === "task" && <Complete type={type} record={record} />}
            {mayWrite && type.name === "lead" && <Convert lead={record} />}
            {mayWrite && !isEditing && (
              <Button leftSection={<IconPencil size={16} aria-hidden />} onClick={onEdit}>
                {t.common.edit}
              </Button>
            )}
          </>
        }
      />
      <Group gap="md" mt="-xs" mb="lg">
        {isOver && (
          <Badge
            component={Link}
            to={pageOf(typeNamed("contact"), String(record["contact_id"]))}
            variant="dot"
            color="teal"
            tt="none"
            fw={500}
            miw="max-content"
            style={{ cursor: "pointer" }}
            title={t.record.openContact}
          >
            {t.record.converted}
          </Badge>
        )}
        {mayWrite && !isOver ? (
          <StatusMenu type={type} record={record} />
        ) : (
          <StatusBadge value={String(record[type.status_field])} />
        )}
        {"tags" in type.fields && <TagsEditor type={type} record={record} />}
        {typeof owner === "string" && (
          <Text size="sm" c="dimmed">
            {type.name === "task" ? t.record.isFor(owner) : t.record.owner(owner)}
          </Text>
        )}
      </Group>
      {isOver && (
        <Alert color="teal" variant="outline" mb="lg" icon={<IconCircleCheck aria-hidden />}>
          <Group gap="xs">
            <Text size="sm">{t.record.isConverted}</Text>
            <Text size="sm" component="span">
              <RecordLink to={typeNamed("contact")} id={String(record["contact_id"])} />
            </Text>
          </Group>
        </Alert>
      )}
    </>
  );
}

interface ActionProps {
  readonly type: RecordType;
  readonly record: Stored;
}

function Delete({ type, record }: ActionProps) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return (
    <ConfirmButton
      title={t.record.deleteTitle(type.name)}
      text={t.record.deleteText}
      confirm={t.record.delete}
      work={() => ask("delete", writePath(type, record._id), { ifMatch: record.version })}
      onDone={async () => {
        await navigate({ to: `/${type.plural}` });
        queries.removeQueries({ queryKey: recordQuery(type, record._id).queryKey });
        await refreshLists(queries);
        notifications.show({ message: t.record.deleted(typeLabel(type).one), color: "teal" });
      }}
    >
      {t.record.delete}
    </ConfirmButton>
  );
}

function Complete({ type, record }: ActionProps) {
  const completing = useEditing(type, () =>
    notifications.show({ message: t.record.completed, color: "teal" }),
  );
  return (
    <>
      {record["is_completed"] !== true && (
        <Button
          variant="default"
          leftSection={<IconCheck size={16} aria-hidden />}
          loading={completing.isSending}
          onClick={() => completing.send({ base: record, changes: { is_completed: true } })}
        >
          {t.record.complete}
        </Button>
      )}
      <Failure error={completing.error} />
      {completing.dialog}
    </>
  );
}
