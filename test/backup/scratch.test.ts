/** Temporary databases, which hold copies of all data, leave nothing behind: docs/backup.md#take-and-verify-a-backup. */

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { dataDirIn, inScratch } from "../../src/backup/index.ts";
import { clusterPlaces } from "../../src/platform/embedded/cluster-place.ts";
import { withTemporaryCluster } from "../../src/platform/embedded/index.ts";
import { lockFolder } from "../../src/platform/storage/index.ts";
import { startScript } from "../kit/started.ts";
import { folder } from "../running/leadport.ts";

const left = (dataDir: string): readonly string[] => [...clusterPlaces(dataDir)].filter(existsSync);

for (const [mode, name] of [
  [0o711, "open"],
  [0o700, "closed"],
] as const) {
  test(`a temporary database in a folder that is ${name} to others is removed`, async (t) => {
    const parent = folder(t, { mode });
    const used = await inScratch({ parent, name: "import" }, async (path) => {
      const dataDir = dataDirIn(path);
      let elsewhere: string | undefined;
      await withTemporaryCluster(dataDir, async (embedded) => {
        elsewhere = embedded.elsewhere;
        assert.equal(left(dataDir).length, 1);
      });
      assert.deepEqual(left(dataDir), []);
      return { path, dataDir, elsewhere };
    });
    assert.equal(existsSync(used.path), false);
    // If the test runs as root, the server runs as another user, who cannot access a folder with this mode.
    const isOutside = mode === 0o700 && process.getuid?.() === 0;
    assert.equal(used.elsewhere !== undefined, isOutside);
  });
}

test("folders of killed commands are removed, others stay", async (t) => {
  const parent = folder(t);
  const make = (name: string): string => {
    const path = join(parent, name);
    mkdirSync(join(path, "data"), { recursive: true });
    writeFileSync(join(path, "data/rows"), "");
    return path;
  };
  const killed = make("leadport-verify-AAAAAA");
  writeFileSync(join(killed, "lock"), "");
  const others = ["leadport-verify-BBBBBB", "leadport-import-CCCCCC", "leadport-backup"].map(make);
  const release = lockFolder(join(parent, "leadport-import-CCCCCC"), "command");
  await inScratch({ parent, name: "verify" }, async () => {
    assert.equal(existsSync(killed), false);
    for (const path of others) assert.ok(existsSync(path), path);
  });
  release?.();
});

test("commands that start together do not remove each other's folders", async (t) => {
  const parent = folder(t);
  const script = join(import.meta.dirname, "scratch-rounds.ts");
  const all = Array.from({ length: 4 }, () => startScript(t, script, parent, "150"));
  for (const { printed } of await Promise.all(all)) assert.equal(printed, "done");
  assert.deepEqual(readdirSync(parent), []);
});
