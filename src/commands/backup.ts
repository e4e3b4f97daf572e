/** `leadport backup`: a copy of the installation that `leadport restore` brings back. */

import { resolve } from "node:path";
import { takePhysicalBackup, sizeOf } from "../backup/index.ts";
import { StartError } from "../platform/errors/index.ts";
import type { Command } from "./command.ts";
import { clusterSource, withInstallation } from "./installation.ts";
import { copyProgress } from "./progress.ts";

export const command: Command = {
  positionals: ["<folder>"],
  examples: [
    "leadport backup /mnt/backups/2026-12-24",
    "leadport backup verify /mnt/backups/2026-12-24",
  ],
  notes: [
    "The service may run. <folder> must not exist, or be empty. The backup does not contain the master key: store",
    "DATA_DIR/master-key (or MASTER_KEY) in another place. Without it, social security numbers, second factors and",
    "the secrets of webhooks cannot be read after a restore.",
  ].join("\n"),
  run: ({ positionals: [folder = ""], env }) =>
    withInstallation(env, async ({ config, embedded }) => {
      if (embedded === undefined) {
        throw new StartError(
          "A physical backup needs the embedded database. With DATABASE_URL, use --logical or the tools of PostgreSQL.",
        );
      }
      const progress = copyProgress();
      try {
        const manifest = await takePhysicalBackup(clusterSource(embedded, config), folder, {
          onProgress: progress.update,
        });
        console.log(
          `${resolve(folder)}: ${manifest.files.length} files, ${Math.ceil(sizeOf(manifest) / 1e6)} MB, ` +
            `can be restored to ${manifest.finished_at}`,
        );
      } finally {
        progress.stop();
      }
    }),
};
