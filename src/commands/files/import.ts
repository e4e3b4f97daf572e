/** `leadport import`: records of a file, into the installation's database. */

import { basename } from "node:path";
import {
  IMPORT_SCHEMA,
  MappingError,
  mappingOptionsOf,
  optionsIn,
  noSuchType,
  typeOfWord,
  type ImportOptions,
  type ImportRequest,
} from "../../files/index.ts";
import { ValidationError } from "../../platform/errors/index.ts";
import { checker } from "../../platform/validation/index.ts";
import type { RecordType } from "../../records/index.ts";
import { type Command, type Given, optional, UsageError } from "../command.ts";
import { importFile, type Wish } from "./import-file.ts";
import { withInstallation } from "../installation.ts";
import { OPTIONAL_TENANT } from "../tenant-option.ts";

const repeated = { type: "string", multiple: true } as const;

export const command: Command = {
  positionals: ["<type>", "<file>"],
  options: {
    tenant: OPTIONAL_TENANT,
    map: { ...repeated, value: "<heading=field>", doc: "What a column is; nothing ignores it." },
    set: { ...repeated, value: "<field=template>", doc: "'name={account} – {product}'." },
    value: { ...repeated, value: "<field:word=value>", doc: "What a word of the file means." },
    "external-id": { type: "string", value: "<column>", doc: "The file's own key of a record." },
    mode: { type: "string", value: "<create|update|upsert>", doc: "What to write (see below)." },
    "default-account": { type: "string", value: "<account>", doc: "For rows that name none." },
    "create-accounts": {
      type: "boolean",
      doc: "Create accounts that rows name and that are missing.",
    },
    dates: { type: "string", value: "<dmy|mdy>", doc: "The order of day and month." },
    decimal: { type: "string", value: "<.|,>", doc: "The decimal sign of numbers." },
    strict: { type: "boolean", doc: "Refuse what would be taken with a warning." },
    "dry-run": { type: "boolean", doc: "Do everything but write." },
    rejects: { type: "string", value: "<file>", doc: "Rows not taken (<file>.rejects.csv)." },
    resume: { type: "boolean", doc: "Only go on with an import that was broken off." },
    format: { type: "string", value: "<csv|ndjson>", doc: "The format, if it is not recognized." },
    encoding: { type: "string", value: "<name>", doc: "Such as windows-1250 or shift_jis." },
    delimiter: { type: "string", value: "<sign>", doc: "One of , ; | and tab." },
    spreadsheet: { type: "boolean", doc: "The CSV was exported with --spreadsheet." },
  },
  notes:
    "Types: leads, contacts, accounts, deals, invoices, orders, tasks. `-` reads standard input.\n" +
    "Modes: create rejects rows whose key exists, update rows whose key does not exist, upsert does\n" +
    "both. update and upsert need a key: --external-id, or a column that --map or --set reads into\n" +
    "external_id. Default: upsert with a key, otherwise create.\n" +
    "An import that was broken off goes on where it ended when the same command is run again.\n" +
    "Ends with 0 when the file was taken to its end, also where rows were refused and are in the\n" +
    "rejects file; with 1 when it was not, or when every row was refused.",
  mindsSignals: true,
  run: async (given) => {
    const wish = wishOf(given);
    await withInstallation(given.env, (installation) => importFile(installation, wish));
  },
};

function wishOf(given: Given): Wish {
  const [word = "", path = ""] = given.positionals;
  const type = typeOfWord(word);
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
  };
}

function optionsOf(given: Given, type: RecordType): ImportOptions {
  const { values } = given;
  const { map, set, value } = values as Record<string, string[] | undefined>;
  const tab = values["delimiter"] === "tab" || values["delimiter"] === "\\t";
  try {
    const body = {
      type: type.name,
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
    if (!(error instanceof ValidationError)) throw error;
    throw new UsageError(
      error.issues.map(({ loc, msg }) => `--${loc.slice(1).join(" ")}: ${msg}`).join("\n"),
    );
  }
}
