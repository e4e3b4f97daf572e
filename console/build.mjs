/**
 * Builds the pages into console/dist, with compressed copies for browsers that accept them, and the packed
 * client that the service serves. Skips sources that are already built. Plain JavaScript, because it
 * runs during package installation with any version of Node.
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

/** The sources of the pages. */
const PAGES = [
  "console/src",
  "console/public",
  "console/index.html",
  "console/vite.config.ts",
  "console/package.json",
  "sdk/src",
  "sdk/package.json",
];

/** The sources of the packed client. */
const CLIENT = [
  "console/pack-client.mjs",
  "console/package.json",
  "sdk/src",
  "sdk/package.json",
  "sdk/README.md",
  "sdk/LICENSE",
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

async function fingerprint(sources) {
  const hash = createHash("sha256");
  const files = (await Promise.all(sources.map((path) => filesOf(join(project, path))))).flat();
  for (const file of files.sort()) {
    hash.update(`${relative(project, file)}\0`).update(await readFile(file)).update("\0");
  }
  return hash.digest("hex");
}

/** Builds unless these sources are already built. The marker file is in dist, which a build of the pages empties. */
async function buildOnce(mark, sources, build) {
  const file = join(dist, mark);
  const wanted = await fingerprint(sources);
  if (existsSync(file) && (await readFile(file, "utf8")) === wanted) return;
  await build();
  await writeFile(file, wanted);
}

async function compress(file) {
  const bytes = await readFile(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
  await Promise.all([
    promisify(brotliCompress)(bytes, { params }).then((packed) => writeFile(`${file}.br`, packed)),
    promisify(gzip)(bytes, { level: 9 }).then((packed) => writeFile(`${file}.gz`, packed)),
  ]);
}

async function buildPages() {
  console.log("Building the pages …");
  const vite = await import("vite");
  await vite.build({ configFile: join(console_, "vite.config.ts"), logLevel: "warn" });
  const files = await filesOf(dist);
  await Promise.all(files.filter((file) => /\.(js|css|svg)$/.test(file)).map(compress));
  console.log("The pages are built.");
}

async function buildClient() {
  const { packClient } = await import("./pack-client.mjs");
  const name = await packClient({ source: join(project, "sdk"), folder: join(dist, "sdk") });
  console.log(`The client is packed: ${name}.`);
}

if (isInstalled("vite")) {
  await buildOnce(".built-from", PAGES, buildPages);
  await buildOnce(".client-built-from", CLIENT, buildClient);
} else {
  console.warn("The pages are not built, because vite is not installed. Install it with `npm ci`.");
}
if (process.env.npm_lifecycle_event === "postinstall") {
  console.log("Leadport is installed. Start it with `npm start`.");
}

function isInstalled(name) {
  try {
    return import.meta.resolve(name) !== "";
  } catch {
    return false;
  }
}
