/** Import options: how the file is read, and what its columns mean. */

import {
  RECORD_NAMES,
  type RecordName,
  TYPE_FACTS,
  RECORD_TABLES,
} from "../../records/types/index.ts";
import { ValidationError, type Issue } from "../../platform/errors/index.ts";
import { givenIn, namesOf, pick } from "../../platform/json/index.ts";
import {
  bodySchema,
  nullable,
  type Schemas,
  string,
  type Typed,
} from "../../platform/schemas/index.ts";
import { DELIMITERS, encodingOf, ENCODINGS, FORMATS } from "../read/index.ts";
import { FLAG, MAPPING_OPTIONS, namesKey, oneOf, type Options, TEXT } from "../columns/index.ts";

/** All options that determine how a file is read. */
const OPTIONS = {
  format: oneOf(FORMATS, "The file format. Default: detected."),
  encoding: {
    ...TEXT,
    description:
      `The file's encoding: ${ENCODINGS.join(", ")}, or another name of one of them. ` +
      "Default: detected, or guessed with a notice.",
  },
  delimiter: oneOf(DELIMITERS, "The delimiter between cells. Default: detected."),
  spreadsheet: {
    ...FLAG,
    description:
      "The file is CSV that was exported for a spreadsheet: one leading `'` is removed from " +
      "text that has it in front of `=`, `+`, `-`, `@`, `'`, a tab or a carriage return. " +
      "Default: false, and a file that looks like such an export is rejected or imported with " +
      "a notice.",
  },
  ...MAPPING_OPTIONS,
} as const satisfies Schemas;

/** The options stored with an import, so that it can be resumed. */
export interface ImportOptions extends Options<typeof OPTIONS> {}

/** Returns the names that users can use for a record type, such as `deals`, `deal` and `opportunity`. */
export function typeWords(name: RecordName): readonly string[] {
  const { table, idName, writePath } = TYPE_FACTS[name];
  return [...new Set([name, table, idName.replace(/_id$/, ""), writePath.replace("/crm/", "")])];
}

/** Returns the name of the record type that users call this, or undefined if there is none. */
export const typeNamed = (word: string): RecordName | undefined =>
  RECORD_NAMES.find((name) => typeWords(name).includes(word.toLowerCase()));

/** Returns the error for an unknown record type. */
export const noSuchType = (word: string): string =>
  `There is no record type ${word}. Record types: ${[...RECORD_TABLES].join(", ")}.`;

/** The body of `POST /crm/imports`. */
export const IMPORT_SCHEMA = bodySchema(
  "ImportRequest",
  {
    type: string("The record type of the rows.", { enum: RECORD_NAMES.flatMap(typeWords) }),
    file_name: nullable(
      string("The name of the file. Its extension can determine the format.", { maxLength: 255 }),
    ),
    dry_run: { ...FLAG, description: "Check the file without writing anything." },
    ...OPTIONS,
  },
  ["type"],
);

export type ImportRequest = Typed<typeof IMPORT_SCHEMA>;

/**
 * Returns the options in a validated body, always in the same order and without empty ones. Throws 422 for problems
 * that JSON Schema cannot detect.
 */
export function optionsIn(body: ImportRequest): ImportOptions {
  const options = givenIn(pick(body, namesOf(OPTIONS)));
  const issues = [...secretIssues(options), ...modeIssues(options), ...encodingIssues(options)];
  if (issues.length > 0) throw new ValidationError(issues);
  return options;
}

function modeIssues(options: ImportOptions): readonly Issue[] {
  const { mode } = options;
  if (mode === undefined || mode === "create" || namesKey(options)) return [];
  const msg = `Value error, the mode ${mode} requires external_id, the column with the key of each record`;
  return [{ type: "value_error", loc: ["body", "mode"], msg, input: mode }];
}

function encodingIssues({ encoding }: ImportOptions): readonly Issue[] {
  if (encoding === undefined || encodingOf(encoding) !== undefined) return [];
  const msg = `Input should be the name of an encoding: ${ENCODINGS.join(", ")}`;
  return [{ type: "enum", loc: ["body", "encoding"], msg, input: encoding }];
}

/** Options are stored as given, so they must not contain a secret. */
function secretIssues({ set, values }: ImportOptions): readonly Issue[] {
  const msg = "Value error, an SSN can only come from a column";
  return Object.entries({ set, values }).flatMap(([option, given]) =>
    given !== undefined && Object.hasOwn(given, "ssn")
      ? [{ type: "value_error", loc: ["body", option, "ssn"], msg, input: null }]
      : [],
  );
}
