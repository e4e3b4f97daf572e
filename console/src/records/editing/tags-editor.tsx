/** Edits a record's tags in place. */

import { ActionIcon, Button, Group, TagsInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconTag } from "@tabler/icons-react";
import { useState } from "react";
import { useMay } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { Failure } from "../../ui/states/index.ts";
import { type RecordType, type Stored } from "../../record/index.ts";
import { useEditing } from "./use-editing.tsx";
import { isSame } from "../form/index.ts";
import { Value } from "../values/index.ts";

export interface TagsEditorProps {
  readonly type: RecordType;
  readonly record: Stored;
}

export function TagsEditor({ type, record }: TagsEditorProps) {
  const [base, setBase] = useState<Stored>();
  const mayWrite = useMay("records:write");
  const tags = (record["tags"] ?? []) as readonly string[];
  if (base !== undefined) {
    return <TagsForm type={type} base={base} onClose={() => setBase(undefined)} />;
  }
  if (!mayWrite) return tags.length > 0 && <Value type={type} record={record} name="tags" />;
  if (tags.length === 0) {
    return (
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconTag size={14} aria-hidden />}
        onClick={() => setBase(record)}
      >
        {t.record.addTags}
      </Button>
    );
  }
  return (
    <Group gap={4}>
      <Value type={type} record={record} name="tags" />
      <ActionIcon
        variant="subtle"
        size={26}
        aria-label={t.record.editTags}
        onClick={() => setBase(record)}
      >
        <IconTag size={16} />
      </ActionIcon>
    </Group>
  );
}

interface TagsFormProps {
  readonly type: RecordType;
  readonly base: Stored;
  readonly onClose: () => void;
}

function TagsForm({ type, base, onClose }: TagsFormProps) {
  const [tags, setTags] = useState((base["tags"] ?? []) as string[]);
  const editing = useEditing(type, () => {
    notifications.show({ message: t.record.saved, color: "teal" });
    onClose();
  });
  const save = () =>
    isSame(tags, base["tags"]) ? onClose() : editing.send({ base, changes: { tags } });
  return (
    <>
      <Group gap="xs" align="flex-start">
        <TagsInput
          aria-label={t.record.tags}
          value={tags}
          onChange={setTags}
          size="xs"
          w={280}
          autoFocus
          error={editing.issues["tags"]}
          onKeyDown={(event) => {
            if (event.key === "Escape") onClose();
          }}
        />
        <Button size="xs" loading={editing.isSending} onClick={save}>
          {t.common.save}
        </Button>
        <Button size="xs" variant="default" onClick={onClose}>
          {t.common.cancel}
        </Button>
      </Group>
      {editing.issues["tags"] === undefined && <Failure error={editing.error} />}
      {editing.dialog}
    </>
  );
}
