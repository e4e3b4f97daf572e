/** A filter being edited: as conditions or, if conditions cannot express it, as JSON. */

import { useState } from "react";
import type { RecordType } from "../../record/index.ts";
import {
  type Condition,
  filterOf,
  isComplete,
  type ConditionRows,
  emptyCondition,
  type FilterField,
  filterFieldsOf,
  filterKindOf,
  filterKinds,
  rowsOf,
} from "../fields/index.ts";

export type Draft =
  /** `typed` is the JSON that the user entered, if the rows were derived from it. */
  | { readonly as: "rows"; readonly rows: ConditionRows; readonly typed?: string }
  | { readonly as: "json"; readonly text: string };

const NO_ROWS: ConditionRows = { isAny: false, conditions: [] };

export interface FilterDraft {
  readonly fields: readonly FilterField[];
  readonly draft: Draft;
  /** The filter to send; an empty string if there is none. */
  readonly text: string;
  /** The filter as formatted JSON, for editing. */
  readonly json: string;
  /** Whether a row is missing a value. */
  readonly isIncomplete: boolean;
  readonly setRows: (rows: ConditionRows) => void;
  readonly setText: (text: string) => void;
  readonly setCondition: (at: number, condition: Condition) => void;
  readonly add: () => void;
  readonly remove: (at: number) => void;
  readonly clear: () => void;
}

/** Reads a filter as conditions if they can express it. */
export function readDraft(type: RecordType, text: string): Draft {
  if (text.trim() === "") return { as: "rows", rows: NO_ROWS };
  const rows = rowsOf(text, filterKinds(type));
  return rows === undefined ? { as: "json", text } : { as: "rows", rows };
}

const textOf = (type: RecordType, draft: Draft): string => {
  if (draft.as === "json") return draft.text;
  const filter = filterOf(draft.rows, (name) => filterKindOf(type, name));
  return filter === undefined ? "" : JSON.stringify(filter);
};

export function useDraft(type: RecordType, filter: string | undefined): FilterDraft {
  const fields = filterFieldsOf(type);
  const [draft, setDraft] = useState<Draft>(() => {
    const read = readDraft(type, filter ?? "");
    return read.as === "rows" && read.rows.conditions.length === 0
      ? { as: "rows", rows: { ...NO_ROWS, conditions: firstOf(fields) } }
      : read;
  });
  const text = textOf(type, draft);
  const rows = draft.as === "rows" ? draft.rows : NO_ROWS;
  const setRows = (next: ConditionRows) => setDraft({ as: "rows", rows: next });
  const setConditions = (conditions: readonly Condition[]) => setRows({ ...rows, conditions });
  return {
    fields,
    draft,
    text,
    json: draft.as === "rows" ? (draft.typed ?? text) : text,
    isIncomplete: rows.conditions.some((condition) => !isComplete(condition)),
    setRows,
    setText: (typed) => {
      const read = readDraft(type, typed);
      setDraft(read.as === "rows" ? { ...read, typed } : read);
    },
    setCondition: (at, condition) => setConditions(rows.conditions.with(at, condition)),
    add: () => setConditions([...rows.conditions, ...firstOf(fields)]),
    remove: (at) => setConditions(rows.conditions.toSpliced(at, 1)),
    clear: () => setDraft({ as: "rows", rows: NO_ROWS }),
  };
}

const firstOf = (fields: readonly FilterField[]): readonly Condition[] =>
  fields.slice(0, 1).map(emptyCondition);
