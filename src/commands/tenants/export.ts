/** `leadport tenant export`: exports one tenant to a file that another installation can import. */

import { createWriteStream, existsSync, rmSync, writeFileSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { finished } from "node:stream/promises";
import { isSuspended } from "../../tenants/index.ts";
import { copyConnection } from "../../platform/database/index.ts";
import { codeOf, StartError } from "../../platform/errors/index.ts";
import { createSealer, newTransferKey, type TransferKey } from "../../platform/secrets/index.ts";
import { startProgress } from "../../files/imports/index.ts";
import { systemClock } from "../../platform/clock/index.ts";
import { EXCLUDED_FROM_EXPORT } from "../../service/index.ts";
import { exportTenant } from "../../tenant-data/index.ts";
import { type Command, optional, UsageError } from "../command.ts";
import { type Installation, withInstallation } from "../installation.ts";
import { JSON_OPTION, printResult } from "../output.ts";
import { chosenTenant } from "../tenant-option.ts";

export const command: Command = {
  positionals: ["<tenant>", "<file>"],
  options: {
    "key-file": {
      type: "string",
      value: "<file>",
      doc: "Write the transfer key to this file instead of printing it.",
    },
    ...JSON_OPTION,
  },
  notes: [
    "Writes a consistent snapshot of all of a tenant's data to a new file. Secrets in the file are encrypted with a",
    "transfer key, which is printed only once and is required to import the file. Store the file and the key separately.",
    "To move a tenant, suspend it first, so that nothing is written after the export.",
  ].join("\n"),
  examples: [
    "leadport tenant export acme acme.tenant.zip",
    "leadport tenant export acme acme.tenant.zip --key-file acme.key",
  ],
  run: async (given) => {
    const [handle = "", name = ""] = given.positionals;
    const path = resolve(name);
    const keyName = optional(given, "key-file");
    const key_file = keyName === undefined ? undefined : resolve(keyName);
    if (key_file === path || key_file === draftOf(path)) {
      throw new UsageError("--key-file must name another file than <file>.");
    }
    for (const one of [path, key_file]) {
      if (one === undefined || !existsSync(one)) continue;
      throw new StartError(`${one} already exists. Choose another file name.`);
    }
    await withInstallation(given.env, async (installation) => {
      const tenant = await chosenTenant(installation.db.sql, handle);
      const isClosed = await isSuspended(installation.db.sql, tenant.id);
      const key = newTransferKey();
      const manifest = await withKeyFile(key_file, key, () =>
        writeFile(installation, tenant.id, { path, key }),
      );
      const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
      const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
      const result = { file: path, rows, bytes, exported_at: manifest.finished_at };
      given.output.error(
        [
          `${path}: ${rows.toLocaleString("en")} rows, ${Math.ceil(bytes / 1e6)} MB, as of ${manifest.finished_at}.`,
          key_file === undefined
            ? "The transfer key, which is shown only once:"
            : `The transfer key is in ${key_file}. Store it separately from the file.`,
          ...(isClosed
            ? []
            : [
                `${handle} is still active, so later changes are not in the file. To move the tenant, run`,
                `leadport tenant suspend ${handle}, and export it again.`,
              ]),
        ].join("\n"),
      );
      const shown = key_file === undefined ? { transfer_key: key.text } : { key_file };
      printResult(given, { ...result, ...shown }, key_file ?? key.text);
    });
  },
};

/** Writes the transfer key to a new file. If `work` fails or is interrupted, removes that file. */
async function withKeyFile<T>(
  path: string | undefined,
  { text }: TransferKey,
  work: () => Promise<T>,
): Promise<T> {
  if (path === undefined) return work();
  try {
    writeFileSync(path, `${text}\n`, { mode: 0o600, flag: "wx", flush: true });
  } catch (error) {
    throw cannotCreate(path, error);
  }
  const remove = (): void => rmSync(path, { force: true });
  process.once("exit", remove);
  try {
    return await work();
  } catch (error) {
    remove();
    throw error;
  } finally {
    process.off("exit", remove);
  }
}

const cannotCreate = (path: string, error: unknown): StartError => {
  const code = codeOf(error);
  return new StartError(`${path} cannot be created (${code}). Choose another file.`, {
    cause: error,
  });
};

const draftOf = (path: string): string => `${path}.partial`;

interface Target {
  readonly path: string;
  readonly key: TransferKey;
}

/** Writes to a draft next to the target file, and renames it when it is complete. */
async function writeFile(
  { db, keys }: Installation,
  tenantId: Parameters<typeof exportTenant>[1]["tenantId"],
  { path, key }: Target,
) {
  const draft = draftOf(path);
  const single = copyConnection(db.sql);
  const progress = startProgress({
    stream: process.stderr,
    total: undefined,
    unit: "MB",
    now: systemClock().now_ms,
  });
  let done = 0;
  try {
    await rm(draft, { force: true });
    const file = createWriteStream(draft, { mode: 0o600, flags: "wx", flush: true });
    const opened = new Promise((ready, failed) => file.once("open", ready).once("error", failed));
    await opened.catch((error: unknown) => {
      throw cannotCreate(draft, error);
    });
    const manifest = await exportTenant(
      single,
      {
        tenantId,
        excluded: Object.keys(EXCLUDED_FROM_EXPORT),
        sealer: createSealer(keys),
        key,
        onProgress: (_table, bytes) => progress.update((done += bytes), Math.floor(done / 1e6)),
      },
      file,
    );
    if (!file.closed) await finished(file);
    await rename(draft, path);
    return manifest;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    progress.stop();
    await single.end({ timeout: 1 });
  }
}
