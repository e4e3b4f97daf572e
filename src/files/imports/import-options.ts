/** The options of an import: of the file, and of what its columns mean (D10.2). */

import { recordTypes, WRITE_MODES, type RecordType } from "../../records/index.ts";
import { ValidationError, type Issue } from "../../platform/errors/index.ts";
import type { Schema } from "../../platform/validation/index.ts";
import { DELIMITERS, encodingOf, ENCODINGS, type OpenOptions } from "../read/index.ts";
import { namesKey, type MappingOptions } from "../columns/index.ts";

/** Everything that decides how a file is read; kept with the import, so that it can go on. */
export interface ImportOptions
  extends MappingOptions, Pick<OpenOptions, "format" | "encoding" | "delimiter" | "spreadsheet"> {}

const OPTION_NAMES = [
  "format",
  "encoding",
  "delimiter",
  "spreadsheet",
  "map",
  "set",
  "values",
  "default_account",
  "create_accounts",
  "strict",
  "external_id",
  "mode",
  "dates",
  "decimal",
] as const satisfies readonly (keyof ImportOptions)[];

const TEXT_MAX = 1000;
const ENTRIES_MAX = 1000;

const text: Schema = { type: "string", maxLength: TEXT_MAX };
const texts = (description: string): Schema => ({
  type: ["object", "null"],
  description,
  additionalProperties: text,
  maxProperties: ENTRIES_MAX,
});
const oneOf = (values: readonly string[], description: string): Schema => ({
  type: ["string", "null"],
  enum: [...values, null],
  description,
});

/** `deals`, `deal`, `opportunity` …: the words that a record type goes by. */
export const typeWords = (type: RecordType): readonly string[] => [
  type.name,
  type.table,
  ...(type.name === "deal" ? ["opportunity", "opportunities"] : []),
];

/** The record type of a word; undefined where there is none. */
export const typeOfWord = (word: string): RecordType | undefined =>
  recordTypes.find((type) => typeWords(type).includes(word.toLowerCase()));

/** What to say of a word that is no record type. */
export const noSuchType = (word: string): string => {
  const known = recordTypes.map(({ table }) => table).join(", ");
  return `There is no record type ${word}; there are ${known}`;
};

/** The body of `POST /crm/imports`. */
export const IMPORT_SCHEMA: Schema = {
  title: "ImportRequest",
  type: "object",
  properties: {
    type: {
      type: "string",
      enum: recordTypes.flatMap(typeWords),
      description: "What the rows of the file are.",
    },
    file_name: {
      type: ["string", "null"],
      maxLength: 255,
      description: "The file's name; its ending may tell the format.",
    },
    dry_run: { type: ["boolean", "null"], description: "Do everything but write." },
    format: oneOf(["csv", "ndjson"], "The file's format. Default: recognized."),
    encoding: {
      type: ["string", "null"],
      maxLength: TEXT_MAX,
      description:
        `The file's encoding: ${ENCODINGS.join(", ")}, or another name of one of them. ` +
        "Default: recognized, or guessed with a notice.",
    },
    delimiter: oneOf(DELIMITERS, "The character between cells. Default: recognized."),
    spreadsheet: {
      type: ["boolean", "null"],
      description:
        "The file is CSV that was exported for a spreadsheet: one `'` is removed before each text that has it " +
        "in front of `=`, `+`, `-`, `@`, `'`, a tab or a carriage return. Default: false, and a file that looks like " +
        "such an export is refused or imported with a notice.",
    },
    map: texts("Heading → field; an empty text ignores the column."),
    set: texts("Field → a template over headings, such as `{account} – {product}`."),
    values: {
      type: ["object", "null"],
      description: "Field, heading or `*` → word of the file → value.",
      additionalProperties: {
        type: "object",
        additionalProperties: text,
        maxProperties: ENTRIES_MAX,
      },
      maxProperties: ENTRIES_MAX,
    },
    default_account: {
      type: ["string", "null"],
      maxLength: TEXT_MAX,
      description: "The account of the rows that name none: an id, an external id or a name.",
    },
    create_accounts: {
      type: ["boolean", "null"],
      description: "Create the accounts that rows name and that do not exist.",
    },
    strict: { type: ["boolean", "null"], description: "Refuse what would cause a warning." },
    external_id: {
      type: ["string", "null"],
      maxLength: TEXT_MAX,
      description: "The column that holds the file's own key of a record.",
    },
    mode: oneOf(
      WRITE_MODES,
      "`create` rejects rows whose key exists, `update` rows whose key does not exist; `upsert` does both. " +
        "`update` and `upsert` need a key: `external_id`, or a column that `map` or `set` reads into external_id. " +
        "Default: `upsert` with a key, otherwise `create`.",
    ),
    dates: oneOf(["dmy", "mdy"], "The order of day and month. Default: decided for each column."),
    decimal: oneOf([".", ","], "The decimal sign. Default: decided for each column."),
  },
  required: ["type"],
  additionalProperties: false,
};

/** The options in a checked body, without those that say nothing, always in the same order. */
export function optionsIn(body: Readonly<Record<string, unknown>>): ImportOptions {
  const given = OPTION_NAMES.filter((name) => (body[name] ?? null) !== null);
  const options = Object.fromEntries(given.map((name) => [name, body[name]])) as ImportOptions;
  const issues = [...secretIssues(options), ...modeIssues(options), ...encodingIssues(options)];
  if (issues.length > 0) throw new ValidationError(issues);
  return options;
}

function modeIssues(options: ImportOptions): readonly Issue[] {
  const { mode } = options;
  if (mode === undefined || mode === "create" || namesKey(options)) return [];
  const msg = `Value error, the mode ${mode} needs external_id, the column that holds the key of each record`;
  return [{ type: "value_error", loc: ["body", "mode"], msg, input: mode }];
}

function encodingIssues({ encoding }: ImportOptions): readonly Issue[] {
  if (encoding === undefined || encodingOf(encoding) !== undefined) return [];
  const msg = `Input should be the name of an encoding: ${ENCODINGS.join(", ")}`;
  return [{ type: "enum", loc: ["body", "encoding"], msg, input: encoding }];
}

/** Options are kept as they are given, so none of them may hold a secret. */
function secretIssues({ set, values }: ImportOptions): readonly Issue[] {
  const msg = "Value error, an ssn comes from a column alone";
  return Object.entries({ set, values }).flatMap(([option, given]) =>
    given !== undefined && Object.hasOwn(given, "ssn")
      ? [{ type: "value_error", loc: ["body", option, "ssn"], msg, input: null }]
      : [],
  );
}
