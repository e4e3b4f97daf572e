/**
 * Changes a record if it has not changed since it was loaded. On a conflict, asks which values to
 * keep.
 */

import { isPreconditionFailed } from "@leadport/client";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ask, issuesByField } from "../../api/index.ts";
import {
  applicable,
  type Draft,
  readPath,
  type RecordType,
  type Stored,
} from "../../record/index.ts";
import { conflictOf, type Conflict } from "./conflict.ts";
import { ConflictDialog } from "./conflict-dialog.tsx";
import { patchOf } from "../form/index.ts";
import { patchRecord, useKeeping } from "../../requests/index.ts";

export interface Edit {
  /** The record as it was when editing started. */
  readonly base: Stored;
  readonly changes: Draft;
}

export interface Editing {
  readonly send: (edit: Edit) => void;
  readonly isSending: boolean;
  readonly error: unknown;
  readonly issues: Readonly<Record<string, string>>;
  /** The conflict dialog, to be rendered on the page. */
  readonly dialog: ReactNode;
}

type Outcome = { readonly record: Stored } | { readonly conflict: Conflict };

export function useEditing(type: RecordType, onDone?: (record: Stored) => unknown): Editing {
  const keep = useKeeping(type);
  const editing = useMutation<Outcome, Error, Edit>({
    mutationFn: (edit) => write(type, edit),
    onSuccess: async (outcome) => {
      if ("conflict" in outcome) return;
      await keep(outcome.record);
      await onDone?.(outcome.record);
    },
  });
  const conflict =
    editing.data !== undefined && "conflict" in editing.data ? editing.data.conflict : undefined;
  return {
    send: editing.mutate,
    isSending: editing.isPending,
    error: editing.error,
    issues: issuesByField(editing.error),
    dialog: conflict !== undefined && (
      <ConflictDialog
        key={conflict.theirs.version}
        type={type}
        conflict={conflict}
        onClose={() => {
          void keep(conflict.theirs);
          editing.reset();
        }}
        onChoose={(chosen) => {
          const changes = applicable(type, conflict.theirs, chosen);
          editing.mutate({ base: conflict.theirs, changes });
        }}
      />
    ),
  };
}

async function write(type: RecordType, { base, changes }: Edit): Promise<Outcome> {
  if (Object.keys(changes).length === 0) return { record: base };
  try {
    return { record: await patchRecord(type, base, patchOf(type, base, changes)) };
  } catch (error) {
    if (!isPreconditionFailed(error)) throw error;
  }
  const { data: theirs } = await ask<Stored>("get", readPath(type, base._id));
  const conflict = conflictOf(type, { base, theirs, mine: changes });
  // Both users made the same changes.
  return Object.keys(conflict.mine).length === 0 ? { record: theirs } : { conflict };
}
