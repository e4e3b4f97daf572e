/** The members of an import: its options, its results, and its progress. */

import { objectSchema, type Schemas, type Stored } from "../../platform/validation/index.ts";
import { LINK_OUTCOMES } from "../rows/index.ts";

const STRING = { type: "string" } as const;
const TEXT = { type: ["string", "null"] } as const;
const STAMP = { type: "integer" } as const;
const COUNT = { type: "integer", minimum: 0 } as const;
const count = (description: string) => ({ ...COUNT, description }) as const;
/** An `interrupted` import continues when its file is sent again. `finished` and `failed` are final. */
const STATES = ["waiting", "running", "interrupted", "finished", "failed"] as const;

/** The members of an import that are returned in lists. */
export const LISTED = {
  id: STRING,
  type: STRING,
  file_name: TEXT,
  dry_run: { type: "boolean" },
  options: {
    type: ["object", "null"],
    description: "The import options. Lists contain null instead of large options.",
    additionalProperties: true,
  },
  state: {
    type: "string",
    enum: STATES,
    description:
      "The state of the import. An interrupted import resumes when you send the same file again.",
  },
  error: TEXT,
  file: {
    type: ["object", "null"],
    description:
      "The detected format, encoding, delimiter and column headers. In lists, null if it is large.",
    additionalProperties: true,
  },
  mapping: {
    type: ["object", "null"],
    description: "How each column was mapped. In lists, null if it is large.",
    additionalProperties: true,
  },
  columns: {
    type: ["integer", "null"],
    description: "The number of columns in the file; null before it is opened.",
  },
  last_line: count("The line of the file up to which rows have been processed."),
  rows: count("The number of rows that have been processed."),
  created: count("The number of records that were created."),
  updated: count("The number of rows that changed a record."),
  unchanged: count("The number of rows whose record needed no change."),
  refused: count("The number of rejected rows."),
  changed_records: {
    type: ["integer", "null"],
    minimum: 0,
    description:
      "For a dry run, the number of existing records that would change, each counted once. " +
      "Null for other imports, " +
      "after an interruption, and beyond 100,000 records.",
  },
  skipped: count("The number of rows that the file marks as deleted."),
  references: {
    type: "object",
    description:
      "Field → the number of rows whose reference was matched, was created by the import, was " +
      "not found, or is ambiguous because several records match it. Rejected rows count too.",
    additionalProperties: {
      type: "object",
      properties: Object.fromEntries(
        LINK_OUTCOMES.map((outcome) => [outcome, { type: "integer", minimum: 0 }]),
      ),
      required: [...LINK_OUTCOMES],
    },
  },
  warned: count("The number of rows imported with a warning."),
  warnings: {
    type: "object",
    description: "The number of warnings by kind.",
    additionalProperties: { type: "integer" },
  },
  words: {
    type: "array",
    description: "The most frequent values that caused warnings.",
    items: {
      type: "object",
      properties: {
        kind: STRING,
        field: TEXT,
        word: TEXT,
        rows: { type: "integer" },
      },
    },
  },
  userid: STRING,
  user_name: TEXT,
  created_ts: STAMP,
  updated_ts: STAMP,
  finished_ts: { ...STAMP, type: ["integer", "null"] },
  created_date: TEXT,
  updated_date: TEXT,
  finished_date: TEXT,
} as const satisfies Schemas;

/** Additional members that are returned only for a single import. */
const DETAILS = {
  examples: {
    type: "array",
    description:
      "For a dry run, the first five existing records that would change, with the fields that differ. " +
      "Values of more than 200 characters are shortened to text around the first difference. Not in lists.",
    items: {
      type: "object",
      properties: {
        line: { type: "integer", description: "The line of the file that changes the record." },
        id: STRING,
        name: TEXT,
        before: { type: "object", additionalProperties: true },
        after: { type: "object", additionalProperties: true },
      },
    },
  },
  rejects: {
    type: "array",
    description: "The first rejected rows. Not in lists.",
    items: {
      type: "object",
      properties: {
        line: { type: "integer" },
        reason: STRING,
        raw: { type: "string", description: "The beginning of the row in the file." },
      },
    },
  },
} as const satisfies Schemas;

export type ShownImport = Stored<typeof LISTED>;

export const IMPORT_ANSWER = {
  title: "ImportResponse",
  ...objectSchema({ ...LISTED, ...DETAILS }, [
    "id",
    "type",
    "state",
    "rows",
    "created",
    "updated",
    "unchanged",
    "refused",
  ]),
};
