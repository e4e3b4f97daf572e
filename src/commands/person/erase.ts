/** `leadport person erase`: removes a person's data. */

import { createInterface } from "node:readline/promises";
import { SERVICE } from "../../audit/index.ts";
import { PARTICIPANTS } from "../../service/index.ts";
import { createSealer } from "../../platform/secrets/index.ts";
import { createErasureLog, type Erasure, erasePerson, tryErasure } from "../../privacy/index.ts";
import { erasureLogPath } from "../../settings/index.ts";
import { type Command, UsageError } from "../command.ts";
import { type Installation, withInstallation } from "../installation.ts";
import { columns, JSON_OPTION, printResult } from "../output.ts";
import { chosenTenant } from "../tenant-option.ts";
import {
  explained,
  PERSON_OPTIONS,
  recipientsText,
  reportFor,
  searchedIn,
  shownReport,
} from "./report.ts";

export const command: Command = {
  options: {
    ...PERSON_OPTIONS,
    record: {
      type: "string",
      value: "<id>",
      multiple: true,
      doc: "The id of a record in the report to erase. Default: all records in the report.",
    },
    review: {
      type: "string",
      value: "<id>",
      multiple: true,
      doc: "The id of a record that mentions the person. Names, addresses and numbers in it are replaced.",
    },
    "dry-run": { type: "boolean", doc: "Print what would be erased, without changing anything." },
    yes: { type: "boolean", doc: "Do not ask for confirmation." },
    ...JSON_OPTION,
  },
  notes: [
    "Prints the report and asks for confirmation, unless you use --yes. Erased data cannot be recovered. Partners and",
    "webhook receivers have their own copies of the data; the result lists them. Run leadport scrub afterwards to",
    "remove old versions of rows from the data files.",
  ].join("\n"),
  examples: [
    "leadport person erase --tenant default --email jane@example.com --dry-run",
    "leadport person erase --tenant default --email jane@example.com",
    "leadport person erase --tenant default --email jane@example.com --record 6b06a209b28bf00003545cd9 --yes --json",
  ],
  run: async (given) => {
    const tenant = String(given.values["tenant"] ?? "");
    if (tenant === "") throw new UsageError("The option --tenant is missing.");
    const searched = searchedIn(given);
    const listIn = (name: string): readonly string[] =>
      ((given.values[name] ?? []) as readonly string[]).map(String);
    const isDry = given.values["dry-run"] === true;
    const isSure = isDry || given.values["yes"] === true;
    if (!isSure && !process.stdin.isTTY)
      throw new UsageError(
        "There is no terminal to ask for confirmation. Use --yes to erase without confirmation.",
      );
    return withInstallation(given.env, async (installation) => {
      const report = await explained(() => reportFor(installation, tenant, searched));
      const chosen = listIn("record");
      const own = report.records.filter(({ effect }) => effect !== "unlink").map(({ id }) => id);
      const request = {
        report_id: report.report_id,
        record_ids: chosen.length > 0 ? chosen : own,
        review_ids: listIn("review"),
      };
      if (request.record_ids.length === 0) {
        const { records, mentions } = report;
        const isFound = records.length + mentions.length > 0;
        const note = isFound ? "\n\nThere are no records to erase. Nothing was changed." : "";
        printResult(given, { records: [], mentions }, shownReport(report) + note);
        return request.review_ids.length > 0 ? 1 : 0;
      }
      if (!isSure) {
        given.output.error(shownReport(report));
        if (!(await isConfirmed(request.record_ids.length))) return 0;
      }
      const deps = depsOf(installation);
      const { id: tenantId } = await chosenTenant(installation.db.sql, tenant);
      const scope = { db: installation.db.sql, tenantId, actor: SERVICE };
      const erasure = await explained(async () =>
        isDry
          ? { ...(await tryErasure(scope, deps, request)), state: "dry_run" as const }
          : erasePerson(scope, deps, request, Infinity),
      );
      printResult(given, erasure, shown(erasure));
      return 0;
    });
  },
};

function depsOf({ config, clock, makeId, keys }: Installation) {
  const sealer = createSealer(keys);
  const path = erasureLogPath(config);
  const erasureLog = path === undefined ? undefined : createErasureLog(path, keys, sealer);
  return { clock, makeId, sealer, participants: PARTICIPANTS, erasureLog };
}

async function isConfirmed(records: number): Promise<boolean> {
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await asking.question(
      `Erase ${records} records? This cannot be undone. Type "erase": `,
    );
    return answer.trim().toLowerCase() === "erase";
  } finally {
    asking.close();
  }
}

const STATES = {
  dry_run: "Nothing was changed. An erasure would remove or change these rows:",
  running:
    "The selected records have been erased. The service erases the rest in the background. Rows changed so far:",
  done: "The person has been erased. Rows that were removed or changed:",
};

function shown({
  state,
  counts,
  recipients,
  legal_holds,
}: Omit<Erasure, "state"> & { readonly state: keyof typeof STATES }): string {
  const rows = Object.entries(counts).map(([table, number]) => [table, String(number)]);
  return [
    STATES[state],
    rows.length === 0 ? "none" : columns(rows),
    ...(recipients.length === 0
      ? []
      : [`Others who received the data: ${recipientsText(recipients)}.`]),
    ...(legal_holds.length === 0
      ? []
      : [
          `The law requires you to keep these invoices, which retain ${legal_holds[0]?.fields.join(", ")}: ` +
            `${legal_holds.map(({ id }) => id).join(", ")}.`,
        ]),
  ].join("\n");
}
