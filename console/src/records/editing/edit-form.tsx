/** Edits a record in a form. Sends the fields that differ from the loaded version. */

import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { t } from "../../text/index.ts";
import type { RecordType, Stored } from "../../record/index.ts";
import { useLeaveGuard } from "./leave-guard.tsx";
import { Section } from "../../ui/frame/index.ts";
import { useEditing } from "./use-editing.tsx";
import { changesOf, draftOf, RecordForm } from "../form/index.ts";

export interface EditFormProps {
  readonly type: RecordType;
  readonly record: Stored;
  readonly onDone: () => void;
}

export function EditForm({ type, record, onDone }: EditFormProps) {
  // The record as it was when the form opened, even if the record is reloaded later.
  const [base] = useState(record);
  const [initial] = useState(() => draftOf(type, record));
  const guard = useLeaveGuard();
  const editing = useEditing(type, () => {
    guard.onDirty(false);
    notifications.show({ message: t.record.saved, color: "teal" });
    return onDone();
  });
  return (
    <Section title={t.record.editTitle}>
      <RecordForm
        type={type}
        purpose="patch"
        initial={initial}
        submitLabel={t.common.save}
        canCreate
        sending={{
          ...editing,
          send: (draft) => {
            const changes = changesOf(type, initial, draft);
            if (Object.keys(changes).length > 0) return editing.send({ base, changes });
            guard.onDirty(false);
            return onDone();
          },
        }}
        onDirty={guard.onDirty}
        onCancel={onDone}
      />
      {editing.dialog}
      {guard.dialog}
    </Section>
  );
}
