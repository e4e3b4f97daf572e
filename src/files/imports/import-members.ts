/** An import as it is shown: what it was asked for, what it found, and how far it has come. */

import { objectSchema, type Schemas, type Stored } from "../../platform/validation/index.ts";
import { LINK_OUTCOMES } from "../rows/index.ts";

const STRING = { type: "string" } as const;
const TEXT = { type: ["string", "null"] } as const;
const STAMP = { type: "integer", description: "Epoch seconds." } as const;
const COUNT = { type: "integer", minimum: 0 } as const;
const count = (description: string) => ({ ...COUNT, description }) as const;
/** `interrupted` continues when the file is sent again; `finished` and `failed` are final. */
const STATES = ["waiting", "running", "interrupted", "finished", "failed"] as const;

/** The members in lists. */
export const LISTED = {
  id: STRING,
  type: STRING,
  file_name: TEXT,
  dry_run: { type: "boolean" },
  options: {
    type: ["object", "null"],
    description: "As they were given. In lists null if they are large.",
    additionalProperties: true,
  },
  state: {
    type: "string",
    enum: STATES,
    description: "An interrupted import goes on when the same file is sent again.",
  },
  error: TEXT,
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

/** The further members of one import alone. */
const DETAILS = {
  examples: {
    type: "array",
    description:
      "Of a dry run: the first five existing records that would change, with their differing fields. " +
      "Values of more than 200 characters are shortened to text around the first difference. Not in lists.",
    items: {
      type: "object",
      properties: {
        line: { type: "integer", description: "The line of the file that changes it." },
        id: STRING,
        name: TEXT,
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
        reason: STRING,
        raw: { type: "string", description: "The beginning of the row." },
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
