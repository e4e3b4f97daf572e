/**
 * Which database the service uses in a data folder. If it cannot start the folder's own database, it starts no other
 * database, and a message explains how to fix the problem.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import {
  copyFolder,
  filledFolder,
  keptIn,
  openFolder,
  outsidePlace,
  recordOf,
  start,
} from "../kit/cluster.ts";
import { atEnd } from "../kit/started.ts";

const isRoot = process.getuid?.() === 0;
const NEEDS_ROOT = { skip: isRoot ? false : "needs root" };

/** Returns the error message of a failed start. Asserts that the start created no database outside of the data folder. */
async function refusal(t: TestContext, dataDir: string): Promise<string> {
  const place = outsidePlace(dataDir);
  const before = existsSync(place);
  const error: unknown = await start(t, dataDir).then(
    () => assert.fail("the start was not refused"),
    (reason: unknown) => reason,
  );
  assert.equal((error as Error).constructor.name, "StartError", String(error));
  assert.equal(existsSync(place), before);
  return (error as Error).message;
}

/** Runs the command at the end of a message and returns it. */
const follow = (message: string) => {
  const [, command = ""] = /\n {2}(\S.*)$/.exec(message) ?? [];
  assert.notEqual(command, "", message);
  execFileSync("sh", ["-c", command]);
  return command;
};

/** Makes a data folder look like one from an earlier release. */
const asEarlier = (dataDir: string) => rmSync(join(dataDir, "installation.json"));

/** Moves the database out of the data folder. Returns its new location. */
function moveOut(t: TestContext, dataDir: string): string {
  const place = join(openFolder(t), "elsewhere");
  renameSync(join(dataDir, "postgres"), place);
  return place;
}

const recordFolder = (dataDir: string, postgres_folder: string) =>
  writeFileSync(
    join(dataDir, "installation.json"),
    JSON.stringify({ ...recordOf(dataDir), postgres_folder }),
  );

test("a start records the database, and a renamed data folder starts with it", async (t) => {
  const dataDir = await filledFolder(t);
  const recorded = recordOf(dataDir);
  assert.match(recorded.installation_id, /^[0-9a-f]{8}-[0-9a-f-]{27}$/);
  assert.match(recorded.system_identifier, /^7\d{18}$/);
  assert.equal(recorded.postgres_folder, "postgres");
  assert.equal(statSync(join(dataDir, "installation.json")).mode & 0o777, 0o600);
  const renamed = `${dataDir} renamed`;
  renameSync(dataDir, renamed);
  assert.equal(await keptIn(await start(t, renamed)), "here");
  assert.deepEqual(recordOf(renamed), recorded);
});

test("a database outside of the data folder is found when the folder is renamed", async (t) => {
  const dataDir = await filledFolder(t);
  const place = moveOut(t, dataDir);
  recordFolder(dataDir, place);
  const renamed = `${dataDir}-renamed`;
  renameSync(dataDir, renamed);
  const embedded = await start(t, renamed);
  assert.equal(embedded.elsewhere, place);
  assert.equal(await keptIn(embedded), "here");
});

test("a copy of a data folder whose database is elsewhere does not run next to the first", async (t) => {
  const dataDir = await filledFolder(t);
  recordFolder(dataDir, moveOut(t, dataDir));
  copyFolder(dataDir, `${dataDir}2`);
  await start(t, dataDir);
  assert.match(await refusal(t, `${dataDir}2`), new RegExp(`process ${process.pid}, since 2`));
});

test("a folder of an earlier release adopts its database", async (t) => {
  const dataDir = await filledFolder(t);
  const { system_identifier } = recordOf(dataDir);
  asEarlier(dataDir);
  assert.equal(await keptIn(await start(t, dataDir)), "here");
  assert.equal(recordOf(dataDir).system_identifier, system_identifier);
});

test("a folder of an earlier release adopts the database elsewhere that it records", async (t) => {
  const dataDir = await filledFolder(t);
  const place = moveOut(t, dataDir);
  asEarlier(dataDir);
  writeFileSync(join(dataDir, "postgres-folder"), `${place}\n`);
  assert.equal(await keptIn(await start(t, dataDir)), "here");
  assert.equal(recordOf(dataDir).postgres_folder, place);
  assert.ok(!existsSync(join(dataDir, "postgres-folder")));
});

test("of two databases none is used, and both are listed", async (t) => {
  const dataDir = await filledFolder(t);
  const place = join(openFolder(t), "elsewhere");
  copyFolder(join(dataDir, "postgres"), place);
  asEarlier(dataDir);
  writeFileSync(join(dataDir, "postgres-folder"), `${place}\n`);
  const message = await refusal(t, dataDir);
  for (const folder of [join(dataDir, "postgres"), place]) {
    const line = `  ${folder} \\(system identifier 7\\d+, \\d\\d MB, last written 2\\S+Z\\)\n`;
    assert.match(message, new RegExp(line));
  }
  renameSync(place, `${place}.unused`);
  assert.equal(await keptIn(await start(t, dataDir)), "here");
});

test("a data folder without its database is rejected, also one of an earlier release", async (t) => {
  const dataDir = await filledFolder(t);
  const { system_identifier } = recordOf(dataDir);
  rmSync(join(dataDir, "postgres"), { recursive: true });
  assert.equal(
    await refusal(t, dataDir),
    `The database of ${dataDir} (system identifier ${system_identifier}) is missing from ` +
      `${dataDir}/postgres. Restore that folder. To start with an empty database instead, set DATA_DIR ` +
      "to a new folder.",
  );
  asEarlier(dataDir);
  writeFileSync(join(dataDir, "owner-token"), "lp_\n");
  assert.match(await refusal(t, dataDir), /although owner-token still exists/);
  // Without the token file, this looks like a first start that was killed before it created the database, so a new
  // database is created.
  rmSync(join(dataDir, "owner-token"));
  assert.equal((await start(t, dataDir)).elsewhere, undefined);
});

test("another database in the place of the recorded one is rejected, until the record is removed", async (t) => {
  const dataDir = await filledFolder(t);
  const { system_identifier, installation_id } = recordOf(dataDir);
  const other = "7000000000000000001";
  writeFileSync(
    join(dataDir, "installation.json"),
    JSON.stringify({ installation_id, system_identifier: other, postgres_folder: "postgres" }),
  );
  const message = await refusal(t, dataDir);
  assert.match(message, new RegExp(`is ${system_identifier}, but .* records ${other}\\.`));
  assert.equal(follow(message), `rm ${dataDir}/installation.json`);
  assert.equal(await keptIn(await start(t, dataDir)), "here");
});

test("a damaged record and a missing or wrong password are rejected", async (t) => {
  const dataDir = await filledFolder(t);
  const record = readFileSync(join(dataDir, "installation.json"));
  for (const text of ["", "{", "[]", '{"installation_id": 1}', "null"]) {
    writeFileSync(join(dataDir, "installation.json"), text);
    assert.match(await refusal(t, dataDir), /installation\.json is damaged\. Restore it/);
  }
  writeFileSync(join(dataDir, "installation.json"), record);
  writeFileSync(join(dataDir, "database-password"), "wrong\n");
  assert.match(
    await refusal(t, dataDir),
    /The database rejected the password in \S+\/database-password\./,
  );
  rmSync(join(dataDir, "database-password"));
  assert.match(await refusal(t, dataDir), /database-password is missing/);
});

test("a data directory that others may enter is rejected with the chmod", async (t) => {
  const dataDir = await filledFolder(t);
  chmodSync(join(dataDir, "postgres/data"), 0o755);
  assert.equal(follow(await refusal(t, dataDir)), `chmod 700 ${dataDir}/postgres/data`);
  assert.equal(await keptIn(await start(t, dataDir)), "here");
});

test("a copy made by root is rejected with the chown", NEEDS_ROOT, async (t) => {
  const dataDir = await filledFolder(t);
  // The first copy has a record of its database. The second copy is from before such records existed; its name contains
  // a space, so it must be quoted.
  for (const copy of [`${dataDir}-copy`, `${dataDir} copy`]) {
    execFileSync("cp", ["-r", dataDir, copy]);
    if (copy.includes(" ")) asEarlier(copy);
    const message = await refusal(t, copy);
    assert.match(message, /^PostgreSQL runs as the user \w+ and cannot open the database in /);
    assert.match(message, / belongs to the user root\. Run this command and start again:\n/);
    const [, user = ""] = /as the user (\w+)/.exec(message) ?? [];
    const folder = copy.includes(" ") ? `'${copy}/postgres'` : `${copy}/postgres`;
    assert.equal(follow(message), `chown -R ${user}: ${folder}`);
    assert.equal(await keptIn(await start(t, copy)), "here");
  }
});

test(
  "files that root has copied into the database are rejected with the chown",
  NEEDS_ROOT,
  async (t) => {
    const dataDir = await filledFolder(t);
    const control = join(dataDir, "postgres/data/global/pg_control");
    execFileSync("chown", ["root:", control]);
    const message = await refusal(t, dataDir);
    assert.match(message, new RegExp(`: ${control} belongs to the user root\\.`));
    follow(message);
    assert.equal(await keptIn(await start(t, dataDir)), "here");
  },
);

test("a closed folder above the data folder is rejected with the chmod", NEEDS_ROOT, async (t) => {
  const dataDir = await filledFolder(t);
  chmodSync(dirname(dataDir), 0o700);
  const message = await refusal(t, dataDir);
  assert.equal(follow(message), `chmod o+x ${dirname(dataDir)}`);
  assert.equal(await keptIn(await start(t, dataDir)), "here");
});

test(
  "a first start in a closed folder uses another place and is found again",
  NEEDS_ROOT,
  async (t) => {
    const home = openFolder(t);
    chmodSync(home, 0o700);
    const dataDir = join(home, "data");
    const { elsewhere = "", stop } = await start(t, dataDir);
    atEnd(t, async () => {
      await stop();
      rmSync(elsewhere, { recursive: true, force: true });
    });
    assert.equal(elsewhere, outsidePlace(dataDir));
    await stop();
    chmodSync(home, 0o711);
    const again = await start(t, dataDir);
    assert.equal(again.elsewhere, elsewhere);
    await again.stop();
  },
);

for (const { lack, options } of [
  { lack: "bytes", options: "size=60m" },
  { lack: "files", options: "size=600m,nr_inodes=300" },
]) {
  test(`a first start on a disk without ${lack} reports it and creates nothing`, async (t) => {
    const disk = openFolder(t);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", `${options},mode=711`, "tmpfs", disk]);
    } catch {
      t.skip(`mounting a small file system is not permitted to ${userInfo().username}`);
      return;
    }
    try {
      const message = await refusal(t, join(disk, "data"));
      assert.match(
        message,
        /Not enough disk space for a new database in \S+: \d+ MB and \d+ inodes are free/,
      );
      assert.match(
        message,
        /but 256 MB and 4000 inodes are needed\. Free some space, or set DATA_DIR /,
      );
      assert.deepEqual(readdirSync(join(disk, "data/postgres")), []);
    } finally {
      execFileSync("umount", [disk]);
    }
  });
}

test("the folder of a first start that was killed is reused", async (t) => {
  const dataDir = join(openFolder(t), "data");
  mkdirSync(join(dataDir, "postgres/data.4711/base"), { recursive: true });
  chmodSync(dataDir, 0o711);
  chmodSync(join(dataDir, "postgres"), 0o700);
  writeFileSync(join(dataDir, "database-password"), "secret\n");
  const { elsewhere } = await start(t, dataDir);
  assert.equal(elsewhere, undefined);
  assert.ok(!existsSync(join(dataDir, "postgres/data.4711")));
});
