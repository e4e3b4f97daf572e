/** Starting the service: what it prints, where it stores its files, and what it reports if it fails. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { file } from "../kit/started.ts";
import { sampleOf } from "../reference/guide-samples.ts";
import {
  NOBODY,
  asUser,
  folder,
  isRoot,
  leadport,
  serverPid,
  settings,
  startLeadport,
  tokenOf,
  untilReady,
} from "./leadport.ts";

/** An ordinary user: a different one if the tests run as root, otherwise the current one. */
const ORDINARY = isRoot ? NOBODY : undefined;

const env = { ...settings(file), SERVER_TIMING: "on" };
const { DATA_DIR } = env;
let started: ReturnType<typeof startLeadport> | undefined;
/** The first start whose effects most tests look at. */
const firstStart = () => (started ??= startLeadport(file, { env }));

test("the commands that the first start prints work at once, and a removed setting is named once", async () => {
  const { base, out, err } = await firstStart();
  const warnings = err().match(/"msg":"SERVER_TIMING is no longer a setting [^"]+"/g);
  assert.equal(warnings?.length, 1, err());
  assert.match(base, /^http:\/\/127\.0\.0\.1:\d+$/);
  const labels = [...out().matchAll(/^ +([A-Z][a-z ]+?)  +/gm)].map(([, label]) => label);
  for (const page of ["README.md", "docs/people.md"]) {
    const shown = [...sampleOf(page, "Leadport is running on").matchAll(/^ +([A-Z][a-z ]+?)  +/gm)];
    assert.ok(shown.length > 0);
    for (const [, label] of shown) assert.ok(labels.includes(label), `${page}: ${label}`);
  }
  assert.ok(out().startsWith(`Creating the database in ${DATA_DIR} …\n`));
  assert.match(out(), new RegExp(`Documentation +${base}/docs\n`));
  assert.match(out(), /Owner token +\S*owner-token\n/);
  assert.equal(statSync(join(DATA_DIR, "owner-token")).mode & 0o777, 0o600);
  assert.equal(statSync(join(DATA_DIR, "master-key")).mode & 0o777, 0o600);
  assert.match(tokenOf(DATA_DIR), /^lp_[A-Za-z0-9]{40}$/);
  const [line = ""] = /curl .*/.exec(out()) ?? [];
  assert.notEqual(line, "");
  const answer = execFileSync("sh", ["-c", line.replace("curl", "curl -sS")], { encoding: "utf8" });
  assert.deepEqual(JSON.parse(answer), { leads: [], page_size: 50, page_num: 1 });
});

test("an address that is not of this machine is reported", async (t) => {
  const { code, err } = await leadport(t, ["start"], {
    env: { ...settings(t), HOST: "192.0.2.1" },
  });
  assert.deepEqual(
    [code, err],
    [1, "192.0.2.1 is not an address of this machine. Set HOST to one of its addresses.\n"],
  );
});

test("a data folder that cannot be written is reported", async (t) => {
  const readOnly = folder(t, { mode: 0o555 });
  const inside = { DATA_DIR: join(readOnly, "data") };
  for (const env of [inside, { DATA_DIR: readOnly }]) {
    const { code, err } = await leadport(t, ["start"], {
      env,
      ...asUser(t, ORDINARY),
    });
    assert.equal(code, 1);
    assert.match(err, /^Cannot write to \S+ \(EACCES\)\. Set DATA_DIR to a folder/);
    assert.equal(err.trim().split("\n").length, 1, err);
  }
});

test("an ordinary user runs the database as itself, in the data folder", async (t) => {
  const own = settings(t, ORDINARY);
  const { base, out } = await startLeadport(t, { env: own, ...asUser(t, ORDINARY) });
  await untilReady(base);
  assert.match(out(), new RegExp(`Database +${own.DATA_DIR}/postgres\n`));
  assert.equal(
    statSync(join(own.DATA_DIR, "postgres/data")).uid,
    ORDINARY?.uid ?? process.getuid?.(),
  );
});

test("no other user can read the content of the data folder", async () => {
  await firstStart();
  for (const name of readdirSync(DATA_DIR)) {
    assert.equal(statSync(join(DATA_DIR, name)).mode & 0o077, 0, name);
  }
});

test("root runs the database as an ordinary user", { skip: !isRoot && "needs root" }, async () => {
  const { out } = await firstStart();
  assert.match(out(), new RegExp(`Database +${DATA_DIR}/postgres, runs as the user \\w+\n`));
  assert.notEqual(statSync(`/proc/${serverPid(DATA_DIR)}`).uid, 0);
});
