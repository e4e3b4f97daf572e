/**
 * Builds the pages into console/dist, with what the service sends to browsers that unpack it; nothing
 * is done where they are built from the same sources already. Plain JavaScript: it runs while the
 * packages are installed, with whatever Node the machine has.
 */

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const console_ = dirname(fileURLToPath(import.meta.url));
const project = dirname(console_);
const dist = join(console_, "dist");
const builtFrom = join(dist, ".built-from");

/** All that the pages are made of. */
const SOURCES = [
  "console/src",
  "console/public",
  "console/index.html",
  "console/vite.config.ts",
  "console/no-import-names.ts",
  "console/package.json",
  "sdk/src",
  "src/records/types",
];

/** @param {string} path @returns {Promise<string[]>} the files at and below a path */
async function filesOf(path) {
  try {
    const entries = await readdir(path, { recursive: true, withFileTypes: true });
    return entries.filter((e) => e.isFile()).map((e) => join(e.parentPath ?? e.path, e.name));
  } catch (error) {
    if (error.code === "ENOTDIR") return [path];
    throw error;
  }
}

async function fingerprint() {
  const hash = createHash("sha256");
  const files = (await Promise.all(SOURCES.map((path) => filesOf(join(project, path))))).flat();
  for (const file of files.sort()) {
    hash.update(`${relative(project, file)}\0`).update(await readFile(file)).update("\0");
  }
  return hash.digest("hex");
}

async function compress(file) {
  const bytes = await readFile(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
  await Promise.all([
    promisify(brotliCompress)(bytes, { params }).then((packed) => writeFile(`${file}.br`, packed)),
    promisify(gzip)(bytes, { level: 9 }).then((packed) => writeFile(`${file}.gz`, packed)),
  ]);
}

const wanted = await fingerprint();
const isBuilt = existsSync(builtFrom) && (await readFile(builtFrom, "utf8")) === wanted;
if (!isBuilt) {
  const vite = await import("vite").catch(() => undefined);
  if (vite === undefined) {
    console.warn("The pages are not built: vite is not installed. The API works without them.");
  } else {
    await vite.build({ configFile: join(console_, "vite.config.ts"), logLevel: "warn" });
    const files = await filesOf(dist);
    await Promise.all(files.filter((file) => /\.(js|css|svg)$/.test(file)).map(compress));
    await writeFile(builtFrom, wanted);
    console.log("The pages are built.");
  }
}
