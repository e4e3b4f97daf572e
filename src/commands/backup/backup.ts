/** `leadport backup`: creates a copy of the installation that `leadport restore` can restore. */

import { join, resolve } from "node:path";
import { sizeOf, takeLogicalBackup, takePhysicalBackup } from "../../backup/index.ts";
import { StartError } from "../../platform/errors/index.ts";
import type { Command } from "../command.ts";
import { clusterSource, type Installation, withInstallation } from "../installation.ts";
import { JSON_OPTION, printResult } from "../output.ts";
import { copyProgress } from "../progress.ts";

export const command: Command = {
  positionals: ["<folder>"],
  options: {
    logical: {
      type: "boolean",
      doc: "Copy the rows instead of the data files. Slower, but can be restored on any machine and by any later release.",
    },
    ...JSON_OPTION,
  },
  examples: [
    "leadport backup /mnt/backups/2026-12-24",
    "leadport backup --logical /mnt/backups/before-the-move",
  ],
  notes: [
    "You do not need to stop the service. <folder> must be empty or not exist yet. The backup does not contain the",
    "master key: store DATA_DIR/master-key (or MASTER_KEY) separately. Without it, social security numbers, second",
    "factors and webhook secrets cannot be read after a restore. With DATABASE_URL, only --logical is available.",
    "BACKUP_MAX_RATE limits how much is copied per second. BACKUP_MAX_RATE=off copies as fast as possible.",
  ].join("\n"),
  run: ({ positionals: [folder = ""], values, env, output }) =>
    withInstallation(env, async (installation) => {
      const progress = copyProgress();
      try {
        const take = values["logical"] === true ? takeLogical : takePhysical;
        const manifest = await take(installation, folder, {
          onProgress: progress.update,
          maxRate_bytes: installation.config.backupMaxRate_bytes,
        });
        progress.stop();
        const { kind, finished_at, files, key_fingerprints } = manifest;
        const result = {
          folder: resolve(folder),
          kind,
          finished_at,
          bytes: sizeOf(manifest),
          key_fingerprints,
        };
        printResult(
          { values, output },
          result,
          [
            `${result.folder}: ${files.length} files, ${Math.ceil(result.bytes / 1e6)} MB. It can be restored to ${finished_at}.`,
            `The backup does not contain the master key. Store ${keyPlace(installation)} separately: without it, social`,
            "security numbers, second factors and webhook secrets cannot be read after a restore.",
          ].join("\n"),
        );
      } finally {
        progress.stop();
      }
    }),
};

const keyPlace = ({ config }: Installation): string =>
  config.masterKey === undefined ? join(config.dataDir, "master-key") : "MASTER_KEY";

type Options = Parameters<typeof takePhysicalBackup>[2];

function takePhysical({ config, embedded }: Installation, folder: string, options: Options) {
  if (embedded === undefined) {
    throw new StartError(
      "A physical backup needs the embedded database. With DATABASE_URL, use --logical or PostgreSQL's own tools: " +
        "see docs/backup.md.",
    );
  }
  return takePhysicalBackup(clusterSource(embedded, config), folder, options);
}

function takeLogical({ config, embedded }: Installation, folder: string, options: Options) {
  const { databaseUrl, dataDir } = config;
  const source = { url: databaseUrl ?? embedded?.url ?? "", address: embedded?.address, dataDir };
  return takeLogicalBackup(source, folder, options);
}
