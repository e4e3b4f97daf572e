/** The members of an import: its options, its results, and its progress. */

import {
  boolean,
  CREATED_TS,
  described,
  FINISHED_TS,
  integer,
  nullable,
  objectSchema,
  type Schemas,
  string,
  UPDATED_TS,
  type Stored,
} from "../../platform/schemas/index.ts";
import type { LINK_OUTCOMES } from "../rows/index.ts";

const TEXT = { type: ["string", "null"] } as const;
const OBJECT = { type: "object", additionalProperties: true } as const;
const COUNT = { type: "integer", minimum: 0 } as const;
const count = (description: string) => ({ ...COUNT, description }) as const;
/** An `interrupted` import continues when its file is sent again. `finished` and `failed` are final. */
const STATES = ["waiting", "running", "interrupted", "finished", "failed"] as const;

const OUTCOMES = {
  matched: count("Rows that refer to an existing record."),
  created: count("Rows that refer to a record that the import created."),
  not_found: count("Rows that refer to a record that does not exist."),
  ambiguous: count("Rows whose reference matches several records."),
} as const satisfies Record<(typeof LINK_OUTCOMES)[number], object>;

/** The members of an import that are returned in lists. */
export const LISTED = {
  id: string("The id of the import."),
  type: string("The record type of the rows."),
  file_name: nullable(string("The name of the file.")),
  dry_run: boolean("Whether the import only checks the file."),
  options: {
    type: ["object", "null"],
    description: "The import options. Lists contain null instead of large options.",
    additionalProperties: true,
  },
  state: string(
    "The state of the import. An interrupted import resumes when you send the same file again.",
    { enum: STATES },
  ),
  error: nullable(string("Why the import failed; null if it did not.")),
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
  columns: nullable(integer("The number of columns in the file; null before it is opened.")),
  last_line: count("The line of the file up to which rows have been processed."),
  rows: count("The number of rows that have been processed."),
  created: count("The number of records that were created."),
  updated: count("The number of rows that changed a record."),
  unchanged: count("The number of rows whose record needed no change."),
  refused: count("The number of rejected rows."),
  changed_records: nullable(
    integer(
      "For a dry run, the number of existing records that would change, each counted once. " +
        "Null for other imports, " +
        "after an interruption, and beyond 100,000 records.",
      { minimum: 0 },
    ),
  ),
  skipped: count("The number of rows that the file marks as deleted."),
  references: {
    type: "object",
    description:
      "Field → the number of rows whose reference was matched, was created by the import, was " +
      "not found, or is ambiguous because several records match it. Rejected rows count too.",
    additionalProperties: objectSchema(OUTCOMES),
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
        kind: string("The kind of the warning."),
        field: nullable(string("The field.")),
        word: nullable(string("The value in the file.")),
        rows: integer("The number of rows with this value."),
      },
    },
  },
  userid: string("The id of the user who created the import."),
  user_name: nullable(string("The name of the user who created the import.")),
  created_ts: CREATED_TS,
  updated_ts: UPDATED_TS,
  finished_ts: FINISHED_TS,
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
        line: integer("The line of the file that changes the record."),
        id: string("The id of the record."),
        name: nullable(string("The name of the record.")),
        before: described(OBJECT, "The values before the import."),
        after: described(OBJECT, "The values after the import."),
      },
    },
  },
  rejects: {
    type: "array",
    description: "The first rejected rows. Not in lists.",
    items: {
      type: "object",
      properties: {
        line: integer("The line in the file."),
        reason: string("Why the row was rejected."),
        raw: string("The beginning of the row in the file."),
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
