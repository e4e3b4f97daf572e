/** `leadport tenant quota`: sets a tenant's storage quota and prints its usage. */

import {
  limitsOf,
  type OwnLimits,
  measureTenant,
  setLimits,
  sizeText,
} from "../../quotas/index.ts";
import { recordLimit, size } from "../../settings/index.ts";
import { RECORD_TABLES } from "../../records/types/index.ts";
import { type Command, type Given, optional, UsageError } from "../command.ts";
import { withInstallation } from "../installation.ts";
import { JSON_OPTION, printResult } from "../output.ts";
import { chosenTenant } from "../tenant-option.ts";
import { messageOf } from "../../platform/errors/index.ts";

export const command: Command = {
  positionals: ["<tenant>"],
  options: {
    records: {
      type: "string",
      value: "<number>",
      doc: "Records of all types: 1000000, off (no limit) or default (MAX_RECORDS).",
    },
    bytes: {
      type: "string",
      value: "<size>",
      doc: "Space for all rows: 10GB, off (no limit) or default (MAX_BYTES).",
    },
    ...JSON_OPTION,
  },
  notes:
    "<tenant> is a handle or id: see leadport tenant list. Without options, the quota stays unchanged.\n" +
    "Measures the tenant's usage now, which may take a few seconds for a million records.",
  examples: [
    "leadport tenant quota nordlys-as",
    "leadport tenant quota nordlys-as --records 1000000 --bytes 10GB",
    "leadport tenant quota nordlys-as --records default --json",
  ],
  run: async (given) => {
    const [handle = ""] = given.positionals;
    const wanted = wantedIn(given);
    await withInstallation(given.env, async (installation) => {
      const { sql } = installation.db;
      const tenant = await chosenTenant(sql, handle);
      const own = await setLimits(sql, installation, tenant.id, wanted);
      const used = await measureTenant(sql, tenant.id, RECORD_TABLES, { withBytes: true });
      const { records, bytes } = limitsOf(own, installation.config);
      const inRecords = row("Records", used.records, records, (n) => n.toLocaleString("en"));
      const inBytes = row("Space", used.bytes ?? 0, bytes, sizeText);
      const lines = [
        `${inRecords}${originOf("MAX_RECORDS", own.max_records, records)}`,
        `${inBytes}${originOf("MAX_BYTES", own.max_bytes, bytes)}`,
      ];
      const result = {
        records: {
          used: used.records,
          limit: records ?? null,
          is_default: own.max_records === null,
        },
        bytes: { used: used.bytes ?? 0, limit: bytes ?? null, is_default: own.max_bytes === null },
      };
      printResult(given, result, lines.join("\n"));
    });
  },
};

/** Formats a line such as `Records  812,000 of 1,000,000 (81%)`. */
function row(
  name: string,
  used: number,
  quota: number | undefined,
  shown: (amount: number) => string,
): string {
  const percent = quota === undefined ? 0 : Math.floor((100 * used) / quota);
  const limit = quota === undefined ? "(no limit)" : `of ${shown(quota)} (${percent}%)`;
  return `${name.padEnd(9)}${shown(used)} ${limit}`;
}

/** Returns text that names the setting that defines a limit, or an empty string if the tenant has its own limit. */
const originOf = (setting: string, own: number | null, quota: number | undefined): string =>
  own === null && quota !== undefined ? `, set by ${setting}` : "";

function wantedIn(given: Given): Partial<OwnLimits> {
  const records = valueOf(given, "records", recordLimit);
  const bytes = valueOf(given, "bytes", size);
  return {
    ...(records !== undefined && { max_records: records }),
    ...(bytes !== undefined && { max_bytes: bytes }),
  };
}

function valueOf(given: Given, name: "records" | "bytes", parse: (text: string) => number) {
  const text = optional(given, name);
  if (text === undefined) return undefined;
  if (text === "default") return null;
  try {
    return parse(text);
  } catch (error) {
    throw new UsageError(`--${name} ${messageOf(error)}, or default, not "${text}"`);
  }
}
