/**
 * Reads a row into the body of the record to create, its references, and warnings about values that were changed on
 * import: columns → cells → values → completed row. Does not look up any records.
 */

import type { RecordType } from "../../records/types/index.ts";
import type { Mapping } from "../columns/index.ts";
import type { Row } from "../read/index.ts";
import { cellUses, isDeleted } from "./row-cells.ts";
import { completeRow, dependsOnStatus, type Draft } from "./row-completion.ts";
import { noteDoubts } from "./row-doubts.ts";
import type { Link, WantedReference } from "./row-references.ts";
import { noteCurrency, takeCells } from "./row-values.ts";
import { sentenceOf, type Warning } from "./row-warnings.ts";
import { targetColumns } from "./target-columns.ts";

/** A row that can be imported once its references have been looked up. */
export interface RowInput {
  readonly line: number;
  readonly raw: string;
  /** The body of the create operation, without references. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly references: readonly WantedReference[];
  /** When the deal was closed, in epoch seconds. Only for closed stages. */
  readonly closed_ts?: number;
  /** The field that contains only notes. An existing record keeps its own text in that field, too. */
  readonly notesIn?: string;
  readonly external_id?: string;
  /** Fields that are set only on new records. An existing record keeps its own values. */
  readonly onlyNew: readonly string[];
  /** Lists for which the row contains only some entries. They are added to those of an existing record. */
  readonly partialLists: readonly string[];
  readonly warnings: readonly Warning[];
  /** The outcomes of looking up the references. */
  readonly links?: readonly Link[];
  /**
   * Reads the row again for an existing record with this status. Set if the row has values whose meaning depends on the
   * status, but no status.
   */
  readonly forStatus?: (status: string) => RowInput | RefusedRow;
}

export interface RefusedRow {
  readonly line: number;
  readonly raw: string;
  readonly reason: string;
  readonly links?: readonly Link[];
  /** True if the file marks the row as deleted. Such a row does not count as a reject. */
  readonly isSkipped?: true;
}

export const isRefused = (row: RowInput | RefusedRow): row is RefusedRow => "reason" in row;

/** Reads a row. With `strict`, a row that would cause a warning is rejected. */
export function readRow(row: Row, mapping: Mapping): RowInput | RefusedRow {
  if (isDeleted(row, mapping)) {
    return {
      line: row.line,
      raw: row.raw,
      reason: "the file marks the row as deleted",
      isSkipped: true,
    };
  }
  const draft: Draft = {
    body: {},
    references: [],
    warnings: [],
    notes: [],
    partialLists: [],
    onlyNew: [],
  };
  if (row.raw.includes("\uFFFD")) draft.warnings.push({ kind: "damaged_text" });
  for (const columns of targetColumns(mapping)) {
    for (const use of cellUses(row, columns, mapping)) takeCells(use, columns, mapping, draft);
  }
  noteCurrency(row, mapping, draft);
  if (!mapping.ownExport) noteDoubts(draft);
  if (!dependsOnStatus(draft, mapping)) return finishRow(row, draft, mapping);
  const fresh = finishRow(row, structuredClone(draft), mapping);
  if (isRefused(fresh)) return fresh;
  return {
    ...fresh,
    forStatus: (status) => finishRow(row, structuredClone(draft), mapping, status),
  };
}

/** Completes the draft of a row. `status` is the status of the existing record, if the row depends on it. */
function finishRow(
  row: Row,
  draft: Draft,
  mapping: Mapping,
  status?: string,
): RowInput | RefusedRow {
  const { refusal, closed_ts, notesIn } = completeRow(draft, mapping, status);
  const reason = refusal ?? tooLong(mapping.type, draft.body) ?? strictRefusal(mapping, draft);
  if (reason !== undefined) return { line: row.line, raw: row.raw, reason };
  const { external_id } = draft.body;
  return {
    line: row.line,
    raw: row.raw,
    body: draft.body,
    references: draft.references,
    ...(closed_ts === undefined ? {} : { closed_ts }),
    ...(notesIn === undefined ? {} : { notesIn }),
    ...(typeof external_id === "string" ? { external_id } : {}),
    onlyNew: draft.onlyNew,
    partialLists: draft.partialLists,
    warnings: draft.warnings,
  };
}

/** Returns an error if a string is too long or contains U+0000. Strings are never truncated. */
function tooLong(type: RecordType, body: Readonly<Record<string, unknown>>): string | undefined {
  for (const name of Object.keys(body)) {
    const value = body[name];
    const field = type.fields[name];
    if (field?.kind !== "text" || typeof value !== "string") continue;
    if (value.includes("\u0000")) return `${name} contains the character U+0000`;
    const length = value.length > field.max ? [...value].length : 0;
    if (length > field.max) return `${name} has ${length} characters; the maximum is ${field.max}`;
  }
  return undefined;
}

function strictRefusal({ strict }: Mapping, { warnings }: Draft): string | undefined {
  if (!strict || warnings.length === 0) return undefined;
  return warnings.map(sentenceOf).join("; ");
}
