/** `leadport person report`: prints everything that is stored about a person. */

import { SERVICE } from "../../audit/index.ts";
import { AppError, StartError, ValidationError } from "../../platform/errors/index.ts";
import { createSealer } from "../../platform/secrets/index.ts";
import { reportPerson } from "../../privacy/index.ts";
import { type Command, type Given, optional, UsageError } from "../command.ts";
import { type Installation, withInstallation } from "../installation.ts";
import { columns, JSON_OPTION, printable, printResult } from "../output.ts";
import { chosenTenant, REQUIRED_TENANT } from "../tenant-option.ts";

export const PERSON_OPTIONS: NonNullable<Command["options"]> = {
  tenant: REQUIRED_TENANT,
  email: { type: "string", value: "<address>", doc: "The person's email address." },
  phone: { type: "string", value: "<number>", doc: "The person's phone number." },
};

export const command: Command = {
  options: { ...PERSON_OPTIONS, ...JSON_OPTION },
  notes: [
    "Use --email, --phone or both. With --json, prints everything that is stored about the person. Otherwise, lists the",
    "records and any other data that mentions the person. For 24 hours, the report can be used to erase the person.",
  ].join("\n"),
  examples: [
    "leadport person report --tenant default --email jane@example.com",
    "leadport person report --tenant default --phone '+1 415 555 0187' --json > report.json",
  ],
  run: async (given) => {
    const tenant = String(given.values["tenant"] ?? "");
    if (tenant === "") throw new UsageError("The option --tenant is missing.");
    const searched = searchedIn(given);
    await withInstallation(given.env, async (installation) => {
      const report = await explained(() => reportFor(installation, tenant, searched));
      printResult(given, report, shownReport(report));
    });
  },
};

export interface Searched {
  readonly email?: string;
  readonly phone?: string;
}

export function searchedIn(given: Given): Searched {
  const email = optional(given, "email");
  const phone = optional(given, "phone");
  if (email === undefined && phone === undefined) {
    throw new UsageError("Specify the person's --email, --phone or both.");
  }
  return { ...(email !== undefined && { email }), ...(phone !== undefined && { phone }) };
}

export type Report = Awaited<ReturnType<typeof reportFor>>;

export async function reportFor(
  { db, clock, makeId, keys }: Installation,
  handle: string,
  searched: Searched,
) {
  const tenant = await chosenTenant(db.sql, handle);
  const scope = { db: db.sql, tenantId: tenant.id, actor: SERVICE };
  const deps = { clock, makeId, sealer: createSealer(keys) };
  return reportPerson(scope, deps, searched, tenant.default_country);
}

/** Runs work and converts expected errors to messages for the operator. */
export async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ValidationError) {
      const [issue] = error.issues;
      throw new StartError(issue?.msg.replace(/^Value error, /, "") ?? error.message);
    }
    throw error instanceof AppError ? new StartError(`${error.message}.`, { cause: error }) : error;
  }
}

export function shownReport({ report_id, records, mentions, recipients }: Report): string {
  if (records.length === 0 && mentions.length === 0) return "Nothing is stored about this person.";
  const found = records.map(({ type, id, name, matched, effect }) => [
    effect,
    type,
    id,
    matched.join(", "),
    printable(name ?? ""),
  ]);
  const others = mentions.map(({ type, id, name, fields, in_history }) => [
    type,
    id,
    (in_history ? "history: " : "") + fields.join(", "),
    printable(name ?? ""),
  ]);
  return [
    `Report ${report_id} (valid for 24 hours).`,
    "",
    columns([["EFFECT", "TYPE", "ID", "FOUND BY", "NAME"], ...found]),
    ...(others.length === 0
      ? []
      : [
          "",
          "Other data that mentions the person, for you to review:",
          columns([["TYPE", "ID", "FIELDS", "NAME"], ...others]),
        ]),
    ...(recipients.length === 0 ? [] : ["", `Received by: ${recipientsText(recipients)}.`]),
  ].join("\n");
}

export const recipientsText = (recipients: Report["recipients"]): string =>
  recipients
    .map(({ kind, partner_name, url }) => `${printable(partner_name ?? url ?? "")} (${kind})`)
    .join(", ");
