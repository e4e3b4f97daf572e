/** A backup is untrusted input: unexpected content is refused before any of it is used. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import test from "node:test";
import { materialize, checkTree } from "../../src/backup/materialize.ts";
import {
  MANIFEST,
  type PhysicalManifest,
  readManifest,
} from "../../src/backup/contents/manifest.ts";
import { StartError } from "../../src/platform/errors/index.ts";
import { folder } from "../running/leadport.ts";
import { MANIFEST_OF_NOTHING } from "./manifests.ts";

const CONTENT: Readonly<Record<string, string>> = {
  "data/PG_VERSION": "18\n",
  "data/global/pg_control": "control",
  "data/base/1/1259": "rows",
  "data/backup_label": "START WAL LOCATION",
  "data/pg_wal/000000010000000000000002": "log",
};

const entryOf = ([path, text]: readonly [string, string]) => ({
  path,
  bytes: text.length,
  sha256: createHash("sha256").update(text).digest("hex"),
});

const MANIFEST_OF_CONTENT: PhysicalManifest = {
  ...MANIFEST_OF_NOTHING,
  folders: ["data/base", "data/base/1", "data/global", "data/pg_wal"],
  files: Object.entries(CONTENT).map(entryOf),
};

const copyOfManifest = (): Fake["manifest"] =>
  JSON.parse(JSON.stringify(MANIFEST_OF_CONTENT)) as Fake["manifest"];

interface Fake {
  /** The backup's folder. */
  readonly path: string;
  /** A folder next to the backup, which must never be written to. */
  readonly outside: string;
  manifest: Record<string, unknown> & { files: { path: string; bytes: number; sha256: string }[] };
}

const put = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

/** Writes the fake backup, then reads and copies it as a restore does. */
async function restoreFake({ path, manifest }: Fake, target: string): Promise<void> {
  if (!existsSync(join(path, MANIFEST))) put(join(path, MANIFEST), JSON.stringify(manifest));
  const read = readManifest(path) as PhysicalManifest;
  await checkTree(path, read);
  await materialize({ folder: path, manifest: read }, target, {});
}

const listed = (path: string, text: string) => (fake: Fake) => {
  fake.manifest.files.push(entryOf([path, text]));
};

const CASES: readonly (readonly [name: string, change: (fake: Fake) => void, reason: RegExp])[] = [
  ["a manifest that is not JSON", ({ path }) => put(join(path, MANIFEST), "{"), /is not JSON/],
  ["a missing manifest", ({ path }) => mkdirSync(join(path, MANIFEST)), /is not a regular file/],
  ["a later format", (fake) => (fake.manifest["format"] = 2), /has format 2/],
  ["another kind", (fake) => (fake.manifest["kind"] = "tar"), /kind is "tar"/],
  ["a missing member", (fake) => delete fake.manifest["first_wal"], /must have required property/],
  ["an unknown member", (fake) => (fake.manifest["run"] = "rm"), /must NOT have additional/],
  ["a path that leads out", listed("data/../../outside/x", "x"), /must match pattern/],
  ["an absolute path", listed("/etc/cron.d/x", "x"), /must match pattern/],
  ["a hidden file", listed("data/.ssh", "x"), /must match pattern/],
  ["a file outside of data", listed("owner-token", "x"), /does not belong in a backup/],
  ["settings of the server", listed("data/postgresql.conf", "x"), /does not belong in a backup/],
  ["settings set by SQL", listed("data/postgresql.auto.conf", "x"), /does not belong/],
  ["access rules", listed("data/pg_hba.conf", "x"), /does not belong in a backup/],
  ["a recovery command", listed("data/recovery.signal", "x"), /does not belong in a backup/],
  ["a tablespace", listed("data/pg_tblspc/16384", "x"), /does not belong in a backup/],
  [
    "a file that is listed twice",
    listed("data/PG_VERSION", "18\n"),
    /lists data\/PG_VERSION twice/,
  ],
  [
    "a folder that leads out",
    (fake) => (fake.manifest["folders"] = ["outside"]),
    /lists the folder outside/,
  ],
  [
    "a link among the files",
    ({ path, outside }) => {
      rmSync(join(path, "data/base/1/1259"));
      symlinkSync(join(outside, "secret"), join(path, "data/base/1/1259"));
    },
    /data\/base\/1\/1259 is a link/,
  ],
  [
    "a link among the folders",
    ({ path, outside }) => symlinkSync(outside, join(path, "data/base/2")),
    /data\/base\/2 is a link/,
  ],
  [
    "a file that is not listed",
    ({ path }) => put(join(path, "data/base/1/9999"), "x"),
    /data\/base\/1\/9999 is not listed/,
  ],
  ["a missing file", ({ path }) => rmSync(join(path, "data/PG_VERSION")), /PG_VERSION is missing/],
  [
    "a changed file of the same size",
    ({ path }) => put(join(path, "data/base/1/1259"), "rowz"),
    /1259 is damaged/,
  ],
  [
    "a file of another size",
    ({ path }) => put(join(path, "data/base/1/1259"), "rows and more"),
    /1259 is damaged/,
  ],
];

for (const [name, change, reason] of CASES) {
  test(`a backup with ${name} is refused`, async (t) => {
    const root = folder(t);
    const path = join(root, "backup");
    const outside = join(root, "outside");
    put(join(outside, "secret"), "secret");
    for (const [file, text] of Object.entries(CONTENT)) put(join(path, file), text);
    const fake: Fake = { path, outside, manifest: copyOfManifest() };
    change(fake);
    await assert.rejects(restoreFake(fake, join(root, "target")), (error: Error) => {
      assert.ok(error instanceof StartError, error.stack);
      assert.match(error.message, reason);
      return true;
    });
    assert.ok(!existsSync(join(outside, "x")));
  });
}

test("an unchanged backup is copied, with new settings", async (t) => {
  const root = folder(t);
  const path = join(root, "backup");
  const target = join(root, "target");
  for (const [file, text] of Object.entries(CONTENT)) put(join(path, file), text);
  await restoreFake({ path, outside: root, manifest: copyOfManifest() }, target);
  for (const name of ["PG_VERSION", "backup_label", "postgresql.conf", "pg_hba.conf"]) {
    assert.ok(existsSync(join(target, name)), name);
  }
});
