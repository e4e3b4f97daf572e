/** `leadport tenant import`: imports a tenant from a file that another installation exported. */

import { readFileSync } from "node:fs";
import { dataDirIn, inScratch, mustHaveSpace } from "../../backup/index.ts";
import { withTemporaryCluster } from "../../platform/embedded/index.ts";
import { messageOf, StartError } from "../../platform/errors/index.ts";
import { createSealer, readTransferKey, type TransferKey } from "../../platform/secrets/index.ts";
import { EXCLUDED_FROM_EXPORT } from "../../service/index.ts";
import { importTenant, type WithScratch } from "../../tenant-data/index.ts";
import { type Command, type Given, optional, required } from "../command.ts";
import { copyProgress } from "../progress.ts";
import { withInstallation } from "../installation.ts";
import { JSON_OPTION, printResult } from "../output.ts";

export const command: Command = {
  positionals: ["<file>"],
  options: {
    "key-file": {
      type: "string",
      value: "<file>",
      doc: "The file with the transfer key; - reads it from standard input. Required.",
    },
    handle: {
      type: "string",
      value: "<handle>",
      doc: "The tenant's handle in this installation. Default: the one in the file.",
    },
    scratch: {
      type: "string",
      value: "<folder>",
      doc: "Where the file is checked. Default: the system's folder for temporary files.",
    },
    ...JSON_OPTION,
  },
  notes: [
    "Checks the whole file in a temporary database, then adds the tenant, which must not exist yet. If the import is",
    "interrupted, run it again. Imported webhooks are disabled, and users must sign in again.",
  ].join("\n"),
  examples: [
    "leadport tenant import acme.tenant.zip --key-file acme.key",
    "leadport tenant import acme.tenant.zip --key-file - --handle acme-eu",
  ],
  run: async (given) => {
    const [path = ""] = given.positionals;
    const key = keyIn(given);
    const scratch = optional(given, "scratch");
    await withInstallation(
      given.env,
      async (installation) => {
        installation.disk.mustHaveSpace();
        const { db, keys } = installation;
        const progress = copyProgress();
        try {
          const arrived = await importTenant(
            { ...installation, sql: db.sql, sealer: createSealer(keys) },
            {
              path,
              key,
              excluded: Object.keys(EXCLUDED_FROM_EXPORT),
              handle: optional(given, "handle"),
              withScratch: scratchIn(scratch),
              onProgress: progress.update,
            },
          );
          progress.stop();
          const { tenantId: id, handle, rows } = arrived;
          printResult(
            given,
            { id, handle, rows },
            [
              `The tenant ${handle} is ready: ${rows.toLocaleString("en")} rows. Users must sign in again.`,
              "Its webhooks are disabled. Enable them when their receivers are ready for requests from this installation.",
            ].join("\n"),
          );
        } finally {
          progress.stop();
        }
      },
      { mayCreate: true },
    );
  },
};

function keyIn(given: Given): TransferKey {
  const path = required(given, "key-file");
  let text: string;
  try {
    text = readFileSync(path === "-" ? 0 : path, "utf8");
  } catch (error) {
    throw new StartError(`The transfer key cannot be read (${messageOf(error)}).`, {
      cause: error,
    });
  }
  const key = readTransferKey(text);
  if (key !== undefined) return key;
  throw new StartError(
    "This is not a transfer key. A transfer key starts with lptk_ and was shown when the tenant was exported.",
  );
}

/** Creates a temporary database for the import, so that no unchecked data reaches the installation's database. */
const scratchIn =
  (parent: string | undefined): WithScratch =>
  (needed_bytes, work) =>
    inScratch({ parent, name: "import" }, async (folder) => {
      await mustHaveSpace(folder, needed_bytes);
      const results: Awaited<ReturnType<typeof work>>[] = [];
      await withTemporaryCluster(dataDirIn(folder), async ({ url, address }) => {
        results.push(await work(url, address));
      });
      return results[0] as Awaited<ReturnType<typeof work>>;
    });
