/** The form for a new record. If a matching record already exists, the form asks what to do. */

import { useState } from "react";
import { isConflict } from "@leadport/client";
import { useSending } from "../../api/index.ts";
import { type Draft } from "../../record/index.ts";
import { bodyOf, emptyDraft } from "./draft.ts";
import { ExistingRecord } from "./existing-record.tsx";
import { RecordForm } from "./record-form.tsx";
import { t } from "../../text/index.ts";
import type { CreateFormProps } from "../../kinds/inputs/index.ts";
import { createRecord, type OnDuplicate, useKeeping } from "../../requests/index.ts";

interface Creation {
  readonly draft: Draft;
  readonly onDuplicate: OnDuplicate;
}

export function CreateForm(props: CreateFormProps) {
  const { type, given, canCreate = false, onDirty, onCancel, onDone } = props;
  const [initial] = useState(() => emptyDraft(type, given));
  const keep = useKeeping(type);
  const creating = useSending(
    ({ draft, onDuplicate }: Creation) => createRecord(type, bodyOf(type, draft), onDuplicate),
    async (record) => {
      await keep(record);
      await onDone(record);
    },
  );
  const { error } = creating;
  const existing = isConflict(error) ? error.existing_id : undefined;
  return (
    <RecordForm
      type={type}
      purpose="create"
      initial={initial}
      given={given ?? {}}
      canCreate={canCreate}
      submitLabel={t.record.create}
      sending={{
        ...creating,
        error: existing === undefined ? error : null,
        send: (draft) => creating.send({ draft, onDuplicate: "reject" }),
      }}
      onDirty={onDirty}
      onCancel={onCancel}
    >
      {(draft) =>
        existing !== undefined &&
        isConflict(error) && (
          <ExistingRecord
            type={type}
            id={existing}
            detail={error.detail}
            isSending={creating.isSending}
            onCreate={() => creating.send({ draft, onDuplicate: "allow" })}
          />
        )
      }
    </RecordForm>
  );
}
