/** The backup commands on a real installation: what they refuse, and the remedies that they suggest. */

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { ask } from "../kit/cluster.ts";
import { casesOf } from "../kit/long.ts";
import {
  folder,
  installed,
  printed,
  settings,
  type Settings,
  startLeadport,
  tokenOf,
} from "../running/leadport.ts";

const addLead = (base: string, token: string, lead: object) =>
  fetch(`${base}/crm/leads`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(lead),
  });

test(
  "backups are taken, verified and restored by commands, which refuse what would go wrong",
  { timeout: 1_800_000 },
  async (t) => {
    const env = await installed(t);
    const { DATA_DIR } = env;
    const service = await startLeadport(t, { env });
    const token = tokenOf(DATA_DIR);
    const added = await addLead(service.base, token, { name: "Ines Falk", ssn: "123-45-6789" });
    const { id } = (await added.json()) as { id: string };
    const root = folder(t);
    const physical = join(root, "physical");
    const logical = join(root, "logical");

    await t.test("a backup is complete, closed to others, and without secrets", async () => {
      const taken = await printed(["backup", physical, "--json"], env);
      assert.equal(taken.code, 0, taken.err);
      const { kind, key_fingerprints } = JSON.parse(taken.out) as Record<string, unknown>;
      assert.equal(kind, "physical");
      assert.match(String(key_fingerprints), /^[0-9a-f]{16}$/);
      assert.equal(statSync(physical).mode & 0o077, 0);
      assert.equal(statSync(join(physical, "data/PG_VERSION")).mode & 0o077, 0);
      const manifest = readFileSync(join(physical, "manifest.json"), "utf8");
      const secrets = ["master-key", "owner-token", "database-password", "database-url"];
      for (const name of secrets.filter((one) => existsSync(join(DATA_DIR, one)))) {
        assert.ok(!manifest.includes(name), name);
        assert.ok(!manifest.includes(readFileSync(join(DATA_DIR, name), "utf8").trim()), name);
      }
      assert.ok(!existsSync(`${physical}.partial`));
      const plain = await printed(["backup", "--logical", logical], env);
      assert.equal(plain.code, 0, plain.err);
      assert.match(
        plain.out,
        /The backup does not contain the master key\. Store .*master-key separately/,
      );
    });

    await t.test(
      "verification reads every table, compares indexes and opens sealed values",
      async () => {
        const verified = await printed(["backup", "verify", physical, "--json"], env);
        assert.equal(verified.code, 0, verified.err);
        const found = JSON.parse(verified.out) as {
          rows: Record<string, number>;
          indexes: number;
          opened: number;
        };
        assert.equal(found.rows["leads"], 1);
        assert.ok(found.indexes > 100);
        assert.equal(found.opened, 1);
        const other = { ...env, MASTER_KEY: Buffer.alloc(32, 7).toString("base64") };
        const wrong = await printed(["backup", "verify", physical], other);
        assert.equal(wrong.code, 1);
        assert.match(wrong.err, /needs the master key with the fingerprint/);
      },
    );

    const link = join(root, "link");
    symlinkSync(DATA_DIR, link);
    const refusals: readonly (readonly [string, readonly string[], Settings, number, RegExp])[] = [
      [
        "a backup into the data folder",
        ["backup", join(DATA_DIR, "backup")],
        env,
        1,
        /is inside .* the folder to back up/,
      ],
      [
        "a backup into the data folder by a link",
        ["backup", join(link, "backup")],
        env,
        1,
        /is inside/,
      ],
      ["a backup into a folder with files", ["backup", root], env, 1, /is not empty/],
      ["a backup without a folder", ["backup"], env, 2, /<folder> is missing/],
      [
        "BACKUP_DIR inside DATA_DIR",
        ["tenant", "list"],
        { ...env, BACKUP_DIR: join(DATA_DIR, "b") },
        1,
        /is inside/,
      ],
      [
        "a restore over an installation",
        ["restore", physical],
        env,
        1,
        /is not empty: it contains/,
      ],
      [
        "a restore from nowhere",
        ["restore", join(root, "none")],
        settings(t),
        1,
        /contains no backup/,
      ],
      ["a restore without a folder", ["restore"], env, 2, /<folder> is missing/],
      [
        "a restore without the master key",
        ["restore", physical],
        settings(t),
        1,
        /needs the master key/,
      ],
      [
        "a time without a zone",
        ["restore", physical, "--at", "2026-12-24 10:30"],
        env,
        2,
        /a time with a zone/,
      ],
      [
        "a moment without an archive",
        ["restore", physical, "--at", "2090-01-01T00:00:00Z"],
        withKey(t, DATA_DIR),
        1,
        /There is no archive next to this backup/,
      ],
      [
        "a moment before the backup",
        ["restore", physical, "--at", "2020-01-01T00:00:00Z"],
        withKey(t, DATA_DIR),
        1,
        /can be restored only to 20.* or later/,
      ],
      [
        "a moment of a logical backup",
        ["restore", logical, "--at", "2090-01-01T00:00:00Z"],
        withKey(t, DATA_DIR),
        1,
        /only to the time at which it was taken/,
      ],
      [
        "a folder with --release-deliveries",
        ["restore", physical, "--release-deliveries"],
        env,
        2,
        /takes no folder/,
      ],
    ];
    for (const [name, args, given, code, reason] of refusals) {
      await t.test(`${name} is refused`, async () => {
        const ended = await printed(args, given);
        assert.match(ended.err, reason);
        assert.equal(ended.code, code);
      });
    }

    for (const [kind, backup] of [
      ["physical", physical],
      ["logical", logical],
    ] as const) {
      await t.test(`a ${kind} backup is restored, and its sealed values open`, async () => {
        const target = withKey(t, DATA_DIR);
        const restored = await printed(["restore", backup], target);
        assert.equal(restored.code, 0, restored.err);
        const second = await startLeadport(t, { env: target });
        const response = await fetch(`${second.base}/crm/leads/${id}?reveal=ssn`, {
          headers: { authorization: `Bearer ${token}` },
        });
        assert.match(await response.text(), /Ines Falk.*123-45-6789/);
        const again = await printed(["restore", backup], target);
        assert.match(again.err, /is not empty/);
      });
    }

    await t.test("a backup of a database that someone else changed is refused", async () => {
      const url = readFileSync(join(DATA_DIR, "database-url"), "utf8").trim();
      const changes = [
        ["create role intruder superuser", "drop role intruder", /contains the roles intruder/],
        [
          "alter database leadport set session_preload_libraries = 'plpgsql'",
          "alter database leadport reset all",
          /contains the settings session_preload_libraries=/,
        ],
      ] as const;
      for (const [n, [change, undo, reason]] of casesOf(changes, 1).entries()) {
        await ask(url, (sql) => sql.unsafe(change));
        const path = join(root, `changed-${n}`);
        const taken = await printed(["backup", path], env);
        await ask(url, (sql) => sql.unsafe(undo));
        assert.equal(taken.code, 0, taken.err);
        const target = withKey(t, DATA_DIR);
        const refused = await printed(["restore", path], target);
        assert.equal(refused.code, 1);
        assert.match(refused.err, reason);
        const start = await printed(["tenant", "list"], target);
        assert.match(
          start.err,
          /was interrupted\. Run leadport restore again|There is no installation/,
        );
        const other = await printed(["restore", physical], target);
        assert.equal(other.code, 0, other.err);
      }
    });
  },
);

/** Creates a data folder with another folder's master key. */
function withKey(t: TestContext, dataDir: string): Settings {
  const env = settings(t);
  mkdirSync(env.DATA_DIR, { recursive: true, mode: 0o711 });
  writeFileSync(join(env.DATA_DIR, "master-key"), readFileSync(join(dataDir, "master-key")), {
    mode: 0o600,
  });
  return env;
}
