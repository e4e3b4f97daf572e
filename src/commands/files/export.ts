/** `leadport export`: exports the records of a type from one consistent snapshot. */

import { createWriteStream, renameSync, rmSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { openExport } from "../../files/exports/index.ts";
import { noSuchType, typeNamed } from "../../files/imports/index.ts";
import type { Format } from "../../files/read/index.ts";
import { epochSeconds } from "../../platform/clock/index.ts";
import { messageOf, StartError, ValidationError } from "../../platform/errors/index.ts";
import { readParameters } from "../../platform/validation/index.ts";
import { exportParameters, planExport } from "../../records/list/index.ts";
import { RECORD_TABLES, typeOf } from "../../records/types/index.ts";
import { type Command, type Given, optional, UsageError } from "../command.ts";
import { type Installation, withInstallation } from "../installation.ts";
import { chosenTenant, OPTIONAL_TENANT } from "../tenant-option.ts";

/** How long the reader of the output may pause. Users may stay on one page of `leadport export | less` for hours. */
const STALL_MAX_ms = 24 * 3600 * 1000;
const TYPE_NAMES = [...RECORD_TABLES];
const FORMATS: readonly string[] = ["csv", "ndjson"] satisfies Format[];

export const command: Command = {
  positionals: ["<type>"],
  options: {
    tenant: OPTIONAL_TENANT,
    format: { type: "string", value: "<csv|ndjson>", doc: "The file format. Default: csv." },
    spreadsheet: { type: "boolean", doc: "CSV for Excel and other spreadsheet programs." },
    out: { type: "string", value: "<file>", doc: "The output file. Default: standard output." },
    filter: { type: "string", value: "<json>", doc: "A match_filter_dict (docs/filters.md)." },
    from: { type: "string", value: "<date>", doc: "Created at this time or later." },
    to: { type: "string", value: "<date>", doc: "Created at this time or earlier." },
    fields: { type: "string", value: "<names>", doc: "The fields to export, such as name,status." },
  },
  choices: { "<type>": TYPE_NAMES, format: FORMATS },
  notes: `Types: ${TYPE_NAMES.join(", ")}.`,
  examples: [
    "leadport export leads > leads.csv",
    `leadport export leads --filter '{"lead_status": "open"}' --out open-leads.csv`,
    "leadport export deals --spreadsheet --out deals.csv",
    "leadport export contacts --fields name,email,phone --format ndjson",
  ],
  run: async (given) => {
    const options = optionsOf(given);
    await withInstallation(given.env, (installation) => exportFile(installation, options));
  },
};

function optionsOf(given: Given) {
  const [word = ""] = given.positionals;
  const type = typeNamed(word);
  if (type === undefined) throw new UsageError(noSuchType(word));
  const out = optional(given, "out");
  const byName = out?.endsWith(".ndjson") === true ? "ndjson" : "csv";
  const format = optional(given, "format") ?? byName;
  if (!FORMATS.includes(format))
    throw new UsageError(`--format must be csv or ndjson, not ${format}.`);
  const spreadsheet = given.values["spreadsheet"] === true;
  if (spreadsheet && format !== "csv") {
    const advice = "Change --format or the file name.";
    throw new UsageError(`--spreadsheet requires CSV, not ndjson. ${advice}`);
  }
  return {
    type,
    format: format as Format,
    spreadsheet,
    out,
    tenant: optional(given, "tenant"),
    /** The command-line options, as query parameters of the export endpoint. */
    query: {
      match_filter_dict: optional(given, "filter") ?? "",
      eval_object_id: "true",
      start_date: optional(given, "from") ?? "",
      end_date: optional(given, "to") ?? "",
      fields: optional(given, "fields") ?? "",
    },
  };
}

const OPTION: Readonly<Record<string, string>> = {
  match_filter_dict: "filter",
  start_date: "from",
  end_date: "to",
  fields: "fields",
};

/** Rewords an error about query parameters so that it names the command-line options. */
const asUsage = ({ issues }: ValidationError): UsageError =>
  new UsageError(
    issues
      .map(({ type, loc, msg, input }) => {
        const option = `--${OPTION[String(loc[1])] ?? loc.join(" ")}`;
        return type === "enum" ? `${option}: ${msg}, not '${String(input)}'` : `${option}: ${msg}`;
      })
      .join("\n"),
  );

async function exportFile(installation: Installation, options: ReturnType<typeof optionsOf>) {
  const { db, clock } = installation;
  const { format, spreadsheet, out } = options;
  const tenant = await chosenTenant(db.sql, options.tenant);
  const type = typeOf({ tenantId: tenant.id }, options.type);
  const { values: query, issues } = readParameters("query", exportParameters(type), options.query);
  try {
    if (issues.length > 0) throw new ValidationError(issues);
    const { id: tenantId, default_country: country } = tenant;
    const now_s = epochSeconds(clock);
    const plan = planExport({ tenantId, type, query, country, now_s });
    // Use the `sql` pool, which does not have the time limit for lists. Nothing else uses this pool here.
    const output = { type, format, spreadsheet, plan, stall_ms: STALL_MAX_ms };
    const file = await openExport({ db: db.sql, ...output });
    if (out === undefined) await printFile(file);
    else await writeWhole(file, out);
  } catch (error) {
    throw error instanceof ValidationError ? asUsage(error) : error;
  }
}

/** Writes to standard output until the end of the file, or until its reader closes the pipe, as `head` does. */
async function printFile(file: NodeJS.ReadableStream): Promise<void> {
  let isClosed = false;
  process.stdout.once("error", () => (isClosed = true));
  await pipeline(file, process.stdout, { end: false }).catch((error: unknown) => {
    if (!isClosed) throw error;
  });
}

/** Writes to a temporary file and renames it, so that the file is either complete or missing. */
async function writeWhole(file: NodeJS.ReadableStream, path: string): Promise<void> {
  const unfinished = `${path}.unfinished`;
  try {
    await pipeline(file, createWriteStream(unfinished));
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    const why = messageOf(error);
    throw new StartError(`Cannot write ${path}: ${why}`, { cause: error });
  }
}
