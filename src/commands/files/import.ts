/** `leadport import`: imports a file's records into the installation's database. */

import { basename } from "node:path";
import {
  IMPORT_SCHEMA,
  optionsIn,
  noSuchType,
  typeNamed,
  type ImportOptions,
  type ImportRequest,
} from "../../files/imports/index.ts";
import { MappingError, mappingOptionsOf } from "../../files/columns/index.ts";
import { ValidationError } from "../../platform/errors/index.ts";
import { checker } from "../../platform/validation/index.ts";
import { RECORD_TABLES, type RecordName } from "../../records/types/index.ts";
import { type Command, type Given, optional, refuseIssues, UsageError } from "../command.ts";
import { type ImportArguments, importFile } from "./import-file.ts";
import { withInstallation } from "../installation.ts";
import { JSON_OPTION } from "../output.ts";
import { OPTIONAL_TENANT } from "../tenant-option.ts";

const TYPE_NAMES = [...RECORD_TABLES];
const repeated = { type: "string", multiple: true } as const;

export const command: Command = {
  positionals: ["<type>", "<file>"],
  options: {
    tenant: OPTIONAL_TENANT,
    map: {
      ...repeated,
      value: "<column=field>",
      doc: "Map a column to a field; empty ignores it.",
    },
    set: {
      ...repeated,
      value: "<field=template>",
      doc: "Set a field from columns: 'name={account} – {product}'.",
    },
    value: {
      ...repeated,
      value: "<field:text=value>",
      doc: "Map a value in the file to the value to import.",
    },
    "external-id": {
      type: "string",
      value: "<column>",
      doc: "The column with unique record ids.",
    },
    mode: { type: "string", value: "<create|update|upsert>", doc: "What to write: see below." },
    "default-account": {
      type: "string",
      value: "<account>",
      doc: "The account for rows without one.",
    },
    "create-accounts": {
      type: "boolean",
      doc: "Create missing accounts.",
    },
    dates: { type: "string", value: "<dmy|mdy>", doc: "The order of day and month." },
    decimal: { type: "string", value: "<.|,>", doc: "The decimal separator of numbers." },
    strict: { type: "boolean", doc: "Reject rows that would be imported with a warning." },
    "dry-run": { type: "boolean", doc: "Show the result without writing." },
    rejects: {
      type: "string",
      value: "<file>",
      doc: "Where to write rejected rows. Default: <file>.rejects.csv.",
    },
    resume: { type: "boolean", doc: "Only continue an interrupted import." },
    format: { type: "string", value: "<csv|ndjson>", doc: "The format, if it is not recognized." },
    encoding: {
      type: "string",
      value: "<name>",
      doc: "The encoding, such as windows-1250 or shift_jis.",
    },
    delimiter: { type: "string", value: "<char>", doc: "The delimiter: , ; | or tab." },
    spreadsheet: { type: "boolean", doc: "The CSV was exported with --spreadsheet." },
    ...JSON_OPTION,
  },
  choices: {
    "<type>": TYPE_NAMES,
    mode: ["create", "update", "upsert"],
    dates: ["dmy", "mdy"],
    format: ["csv", "ndjson"],
  },
  notes:
    `Types: ${TYPE_NAMES.join(", ")}. \`-\` reads standard input.\n` +
    "Modes: create rejects rows whose key exists, update rejects rows whose key does not exist, upsert\n" +
    "creates or updates. update and upsert need a key: --external-id, or a column mapped to external_id\n" +
    "with --map or --set. Default: upsert with a key, otherwise create.\n" +
    "To continue an interrupted import, run the same command again.\n" +
    "Exits with 0 if the whole file was processed, even if some rows were rejected; they are in the\n" +
    "rejects file. Exits with 1 if it was not, or if every row was rejected.",
  examples: [
    "leadport import contacts people.csv",
    "leadport import deals pipeline.csv --set 'name={account} – {product}' --default-account Walk-in",
    "leadport import leads leads.csv --external-id Id --mode upsert --dry-run",
    "cat leads.ndjson | leadport import leads - --format ndjson --json",
  ],
  run: async (given) => {
    const wanted = argumentsOf(given);
    await withInstallation(given.env, (installation) => importFile(installation, wanted));
  },
};

function argumentsOf(given: Given): ImportArguments {
  const [word = "", path = ""] = given.positionals;
  const type = typeNamed(word);
  if (type === undefined) throw new UsageError(noSuchType(word));
  return {
    type,
    path,
    file_name: path === "-" ? null : basename(path),
    tenant: optional(given, "tenant"),
    options: optionsOf(given, type),
    dry_run: given.values["dry-run"] === true,
    resume: given.values["resume"] === true,
    rejects: optional(given, "rejects"),
    is_json: given.values["json"] === true,
    output: given.output,
  };
}

function optionsOf(given: Given, type: RecordName): ImportOptions {
  const { values } = given;
  const { map, set, value } = values as Record<string, string[] | undefined>;
  const tab = values["delimiter"] === "tab" || values["delimiter"] === "\\t";
  try {
    const body = {
      type,
      ...mappingOptionsOf({ ...(map && { map }), ...(set && { set }), ...(value && { value }) }),
      external_id: optional(given, "external-id"),
      default_account: optional(given, "default-account"),
      mode: optional(given, "mode"),
      create_accounts: values["create-accounts"],
      dates: optional(given, "dates"),
      decimal: optional(given, "decimal"),
      strict: values["strict"],
      spreadsheet: values["spreadsheet"],
      format: optional(given, "format"),
      encoding: optional(given, "encoding"),
      delimiter: tab ? "\t" : optional(given, "delimiter"),
    };
    const sent: ImportRequest = JSON.parse(JSON.stringify(body));
    const issues = checker({})(IMPORT_SCHEMA)(sent);
    if (issues.length > 0) throw new ValidationError(issues);
    return optionsIn(sent);
  } catch (error) {
    if (error instanceof MappingError) throw new UsageError(error.problems.join("\n"));
    if (error instanceof ValidationError) refuseIssues(error.issues);
    throw error;
  }
}
