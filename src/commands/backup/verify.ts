/** `leadport backup verify`: checks whether a backup can be restored. */

import { findBackup, verifyBackup } from "../../backup/index.ts";
import { readMasterKey } from "../../platform/secrets/index.ts";
import { loadConfig } from "../../settings/index.ts";
import { type Command, optional } from "../command.ts";
import { copyProgress } from "../progress.ts";

export const command: Command = {
  positionals: ["<folder>"],
  options: {
    scratch: {
      type: "string",
      value: "<folder>",
      doc: "Where the copy is started. Default: the system's folder for temporary files.",
    },
    json: { type: "boolean", doc: "Print the result as JSON." },
  },
  notes: [
    "Compares all checksums, then starts a copy of the backup, reads every table, compares every index with its table,",
    "and decrypts one encrypted value of each kind if the master key is available. The backup is not changed.",
  ].join("\n"),
  examples: [
    "leadport backup verify /mnt/backups/2026-12-24",
    "leadport backup verify /mnt/backups --json",
  ],
  run: async (given) => {
    const { positionals, values, env, output } = given;
    const config = loadConfig(env);
    const { folder, manifest } = findBackup(positionals[0] ?? "", undefined);
    const progress = copyProgress();
    const keys = readMasterKey(config, config.dataDir);
    try {
      const found = await verifyBackup(folder, manifest, {
        scratch: optional(given, "scratch"),
        keys,
        notify: (message) => output.error(message),
        onProgress: progress.update,
      });
      progress.stop();
      const { finished_at, kind } = manifest;
      if (values["json"] === true) {
        output.log(JSON.stringify({ folder, kind, finished_at, ...found }, undefined, 2));
        return;
      }
      const rows = Object.values(found.rows).reduce((sum, count) => sum + count, 0);
      output.log(
        [
          `${folder} is a complete ${kind} backup and can be restored to ${finished_at}.`,
          `${Object.keys(found.rows).length} tables with ${rows.toLocaleString("en")} rows, ${found.indexes} indexes.`,
          found.opened === undefined
            ? "The master key was not available, so encrypted values were not checked."
            : `Encrypted values decrypted with the master key: ${found.opened}.`,
        ].join("\n"),
      );
    } finally {
      progress.stop();
    }
  },
};
