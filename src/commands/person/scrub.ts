/** `leadport scrub`: removes old row versions from the data files. */

import { openPool } from "../../platform/database/index.ts";
import { type LogKept, scrub, tablesWith } from "../../privacy/index.ts";
import { PERSONAL_COLUMNS } from "../../service/index.ts";
import type { Command } from "../command.ts";
import { withInstallation } from "../installation.ts";
import { JSON_OPTION, printResult } from "../output.ts";

const LOG_TEXTS: Readonly<Record<LogKept | "removed", string>> = {
  removed: "Old write-ahead log files were removed.",
  not_superuser:
    "Your server's write-ahead log was not changed, because that requires a superuser.",
  still_needed:
    "Some old write-ahead log files were not removed, because PostgreSQL still needs them, for example for the " +
    "archive or for a replica. Run leadport scrub again later.",
};

export const command: Command = {
  options: JSON_OPTION,
  notes: [
    "After an erasure, old versions of rows remain in the data files until PostgreSQL reuses their space. This command",
    "rewrites all tables with personal data, and removes old write-ahead log files. Requests wait while a table that they",
    "use is rewritten. The free disk space must be at least the size of the largest table. Backups are not changed.",
  ].join("\n"),
  examples: ["leadport scrub", "leadport scrub --json"],
  run: ({ values, env, output }) =>
    withInstallation(env, async ({ config, embedded }) => {
      const db = openPool({
        url: config.databaseUrl ?? embedded?.url ?? "",
        address: embedded?.address,
        settings: { application_name: "leadport scrub", statement_timeout: 0, lock_timeout: 0 },
      });
      try {
        const done = await scrub(db, {
          tables: tablesWith(PERSONAL_COLUMNS, ["yes", "derived"]),
          onWait: (transactions) => {
            output.error(`Waiting for transactions that began earlier: ${transactions}.`);
          },
          onTable: (table, at, of) => {
            if (process.stderr.isTTY) output.error(`${at + 1}/${of} ${table}`);
          },
        });
        const freed = Math.max(0, Math.round((done.bytes_before - done.bytes_after) / 1e6));
        const log = LOG_TEXTS[done.log_kept ?? "removed"];
        printResult(
          { values, output },
          done,
          `${done.tables.length} tables were rewritten, ${freed} MB freed. ${log}`,
        );
      } finally {
        await db.end({ timeout: 5 });
      }
    }),
};
