/** An import as the API shows it: its options, what it found, and how far it has come (D10.1). */

import { isoSeconds } from "../../platform/clock/index.ts";
import type { Json, JsonObject } from "../../platform/json/index.ts";
import type { Schema } from "../../platform/validation/index.ts";
import { stateOf, type ImportRow } from "./imports.ts";
import { beginningOf } from "../read/index.ts";
import { LINK_OUTCOMES, type RefusedRow } from "../rows/index.ts";

const date = (epoch_s: number | null): string | null =>
  epoch_s === null ? null : isoSeconds(epoch_s);

export function importView(row: ImportRow, now_ms: number): JsonObject {
  const { file, mapping, tally } = row;
  const view = {
    id: row.id,
    type: row.record_type,
    file_name: row.file_name,
    dry_run: row.dry_run,
    options: row.options,
    state: stateOf(row, now_ms),
    error: row.error,
    file,
    mapping,
    columns: row.columns ?? null,
    last_line: row.last_line,
    rows: row.rows,
    created: row.created,
    updated: row.updated,
    unchanged: row.unchanged,
    refused: row.refused,
    changed_records: changedRecords(row),
    skipped: tally.skipped ?? 0,
    references: tally.references ?? {},
    warned: tally.warned,
    warnings: tally.warnings,
    words: tally.words,
    userid: row.person_id,
    user_name: row.person_name,
    created_ts: row.created_ts,
    updated_ts: row.updated_ts,
    finished_ts: row.finished_ts,
    created_date: date(row.created_ts),
    updated_date: date(row.updated_ts),
    finished_date: date(row.finished_ts),
  };
  return view as unknown as JsonObject;
}

/** Of a dry run; null if it is unknown. */
const changedRecords = ({ dry_run, updated, tally }: ImportRow): number | null =>
  dry_run ? (tally.changed_records ?? (updated === 0 ? 0 : null)) : null;

/** Of a longer row only the beginning is shown; the rejects file has all of it. */
const SHOWN_CHARACTERS = 4096;

export const withDetails = (
  view: JsonObject,
  { tally }: ImportRow,
  rejects: readonly RefusedRow[],
): JsonObject => ({
  ...view,
  examples: (tally.examples ?? []) as unknown as Json,
  rejects: rejects.map(({ line, reason, raw }) => ({
    line,
    reason,
    raw: beginningOf(raw, SHOWN_CHARACTERS),
  })),
});

const text: Schema = { type: ["string", "null"] };
const count = (description: string): Schema => ({ type: "integer", minimum: 0, description });
const stamp: Schema = { type: "integer", description: "Epoch seconds." };

/** What an import is answered as. */
export const IMPORT_ANSWER: Schema = {
  title: "ImportResponse",
  type: "object",
  properties: {
    id: { type: "string" },
    type: { type: "string" },
    file_name: text,
    dry_run: { type: "boolean" },
    options: {
      type: ["object", "null"],
      description: "As they were given. In lists null if they are large.",
      additionalProperties: true,
    },
    state: {
      type: "string",
      enum: ["waiting", "running", "interrupted", "finished", "failed"],
      description: "An interrupted import goes on when the same file is sent again.",
    },
    error: text,
    file: {
      type: ["object", "null"],
      description:
        "What was detected: format, encoding, delimiter, headings. In lists null if it is large.",
      additionalProperties: true,
    },
    mapping: {
      type: ["object", "null"],
      description: "What became of each heading. In lists null if it is large.",
      additionalProperties: true,
    },
    columns: {
      type: ["integer", "null"],
      description: "How many headings the file has; null before it is opened.",
    },
    last_line: count("Rows that begin on this line of the file or before are done."),
    rows: count("Rows that are done."),
    created: count("Records that were created."),
    updated: count("Rows that changed a record."),
    unchanged: count("Rows whose record was as the file says."),
    refused: count("Rows that could not be taken."),
    changed_records: {
      type: ["integer", "null"],
      minimum: 0,
      description:
        "Of a dry run: how many existing records would change, each counted once. Null for other imports, " +
        "after an interruption, and beyond 100,000 records.",
    },
    skipped: count("Rows that the file marks as deleted."),
    references: {
      type: "object",
      description:
        "Field → how many rows name a record that was matched, was created by the import, was not found, " +
        "or is ambiguous because several have the name. Rejected rows count too.",
      additionalProperties: {
        type: "object",
        properties: Object.fromEntries(
          LINK_OUTCOMES.map((outcome) => [outcome, { type: "integer", minimum: 0 }]),
        ),
        required: [...LINK_OUTCOMES],
      },
    },
    warned: count("Rows that were taken with a warning."),
    warnings: {
      type: "object",
      description: "Warnings by kind.",
      additionalProperties: { type: "integer" },
    },
    words: {
      type: "array",
      description: "The most frequent words behind the warnings.",
      items: {
        type: "object",
        properties: {
          kind: { type: "string" },
          field: text,
          word: text,
          rows: { type: "integer" },
        },
      },
    },
    userid: { type: "string" },
    user_name: text,
    created_ts: stamp,
    updated_ts: stamp,
    finished_ts: { ...stamp, type: ["integer", "null"] },
    created_date: text,
    updated_date: text,
    finished_date: text,
    examples: {
      type: "array",
      description:
        "Of a dry run: the first five existing records that would change, with their differing fields. " +
        "Values of more than 200 characters are shortened to text around the first difference. Not in lists.",
      items: {
        type: "object",
        properties: {
          line: { type: "integer", description: "The line of the file that changes it." },
          id: { type: "string" },
          name: text,
          before: { type: "object", additionalProperties: true },
          after: { type: "object", additionalProperties: true },
        },
      },
    },
    rejects: {
      type: "array",
      description: "The first rows that could not be taken; of one import alone.",
      items: {
        type: "object",
        properties: {
          line: { type: "integer" },
          reason: { type: "string" },
          raw: { type: "string", description: "The beginning of the row." },
        },
      },
    },
  },
  required: ["id", "type", "state", "rows", "created", "updated", "unchanged", "refused"],
};
