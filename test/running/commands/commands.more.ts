/** Commands that start the database or the service several times. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { markIncomplete } from "../../../src/platform/migrations/index.ts";
import { migratedDatabase, testDatabase } from "../../kit/database.ts";
import {
  clusterOf,
  folder,
  installed,
  kill,
  leadport,
  oldNode,
  printed,
  serverPid,
  settings,
  spawnLeadport,
  startLeadport,
  tokenOf,
} from "../leadport.ts";
import { eventually } from "../../kit/eventually.ts";

const ROOT = join(import.meta.dirname, "../../..");
const KEY = Buffer.alloc(32, 3).toString("base64");
const TOKEN = /^lp_[A-Za-z0-9]{40}\n$/;

test("without a service a command starts the database for as long as it needs", async (t) => {
  const env = settings(t);
  const made = await printed(["tenant", "create", "acme"], env);
  assert.match(made.out, TOKEN);
  assert.equal(serverPid(env.DATA_DIR), undefined);
  const named = (...rest: string[]) => printed(["tenant", "create", "acme", ...rest], env);
  const again = await named();
  assert.deepEqual([again.code, again.err], [0, ""]);
  assert.match(again.out, TOKEN);
  const taken = await named("--handle", "acme");
  assert.deepEqual([taken.code, taken.out], [1, ""]);
  assert.match(
    taken.err,
    /^The handle "acme" is taken\..* leadport tenant list to see all tenants\.\n$/,
  );
  const malformed = await named("--handle", "No Handle");
  assert.deepEqual([malformed.code, malformed.out], [1, ""]);
  assert.match(malformed.err, /^The handle "No Handle" is not valid\. A handle must have .*\.\n$/);
  const listed = await printed(["tenant", "list"], env);
  assert.deepEqual([listed.code, listed.err], [0, ""]);
  assert.match(
    listed.out,
    /^HANDLE +ID +CREATED +STATE +RECORDS +SPACE +LAST USE +NAME\nacme {4}[0-9a-f-]{36} {2}\d{4}-\d\d-\d\d {2}active +0 +\S+ \S+ +never +acme\nacme-2 {2}\S{36} {2}\S{10} {2}active .* acme\n$/,
  );
  assert.equal(serverPid(env.DATA_DIR), undefined);
});

test("a signal ends an import that is waiting for its file, and the database that it started", async (t) => {
  const env = await installed(t);
  await printed(["tenant", "create", "acme"], env);
  const pipe = join(folder(t), "pipe");
  execFileSync("sh", ["-c", `mkfifo ${pipe}`]);
  const running = spawnLeadport(t, ["import", "leads", pipe, "--tenant", "acme"], { env });
  // Opening it for writing fails until the import has opened it for reading.
  const write = await eventually(() => {
    try {
      return openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch {
      return undefined;
    }
  });
  kill(running.pid, "SIGTERM");
  assert.equal((await running.ended).code, 143);
  await eventually(() => serverPid(env.DATA_DIR) === undefined);
  if (write !== undefined) closeSync(write);
});

test("with BACKUP_DIR, the database that `leadport migrate` starts archives its log", async (t) => {
  const env = { ...settings(t), BACKUP_DIR: folder(t) };
  await printed(["tenant", "create", "acme"], { ...env, BACKUP_DIR: "" });
  const { code, err } = await printed(["migrate"], env);
  assert.equal(code, 0, err);
  const started = readFileSync(join(clusterOf(env.DATA_DIR), "data/postmaster.opts"), "utf8");
  assert.match(started, /"archive_mode=on"/);
});

test("a tenant is addressed by its handle or id; for a name or anything else the error says where to look", async (t) => {
  const env = settings(t);
  const lead = join(folder(t), "leads.csv");
  writeFileSync(lead, "name\nAda\n");
  const early = await printed(["export", "leads"], env);
  assert.deepEqual(
    [early.code, early.err],
    [
      1,
      `There is no installation in ${env.DATA_DIR}. ` +
        "Set DATA_DIR to the data folder of an installation, or create one with `leadport start`.\n",
    ],
  );
  assert.equal(existsSync(join(env.DATA_DIR, "postgres")), false);
  await printed(["tenant", "create", "Nordlys AS", "--handle", "north"], env);
  const unnamed = await printed(["export", "leads"], env);
  assert.deepEqual(
    [unnamed.code, unnamed.err],
    [
      1,
      "This installation has no first tenant. Run `leadport start` to create it, or choose a tenant " +
        "with --tenant. Run `leadport tenant list` to see all tenants.\n",
    ],
  );
  await startLeadport(t, { env });
  const { out } = await printed(["tenant", "list"], env);
  const [, id = ""] = /^north +(\S+)/m.exec(out) ?? [];
  const person = ["--name", "A", "--email", "a@example.com", "--role", "viewer"];
  const commands = [
    ["token", "create", "--permissions", "admin"],
    ["person", "create", ...person],
    ["import", "leads", lead],
    ["export", "leads"],
  ];
  for (const command of commands) {
    for (const name of ["Nordlys AS", "nordlys-as", "NORTH"]) {
      const none = await printed([...command, "--tenant", name], env);
      assert.deepEqual(
        [none.code, none.err],
        [
          1,
          `There is no tenant with the handle or id "${name}". Run \`leadport tenant list\` to see all tenants.\n`,
        ],
      );
    }
  }
  for (const tenant of ["north", id]) {
    const args = ["token", "create", "--permissions", "admin", "--tenant", tenant];
    assert.match((await printed(args, env)).out, TOKEN);
  }
});

test("no tenant name can control the terminal of a user who lists it", async (t) => {
  const env = settings(t);
  const name = "Evil\u001b[2J\n\u202eexample";
  await printed(["tenant", "create", name], env);
  const { out } = await printed(["tenant", "list"], env);
  assert.match(out, /^evil-2j-example .* {2}Evil\uFFFD\[2J\uFFFD\uFFFDexample$/m);
  assert.equal(out.trimEnd().split("\n").length, 2);
});

test("a user is created with a link that is alone on stdout, and can return with --reset", async (t) => {
  const env = await installed(t);
  const { base } = await startLeadport(t, { env });
  const beside = { ...env, PORT: new URL(base).port };
  const person = ["person", "create", "--tenant", "default", "--email", "Ada@example.com"];
  const whole = [...person, "--name", "Ada Example", "--role", "owner"];
  const use = async (link: string, password: string) => {
    const body = JSON.stringify({ token: new URL(link).hash.slice(1), password });
    const headers = { "content-type": "application/json" };
    return (await fetch(`${base}/auth/links/use`, { method: "POST", headers, body })).status;
  };
  const none = await printed([...person, "--reset"], beside);
  assert.deepEqual(
    [none.code, none.err],
    [1, "This tenant has no user with the email Ada@example.com.\n"],
  );
  const made = await leadport(t, whole, { env: beside });
  assert.deepEqual([made.code, made.err], [0, ""]);
  assert.match(made.out, new RegExp(`^${base}/link#\\w{40}\n$`));
  assert.equal(await use(made.out.trim(), "correct horse battery"), 200);
  const again = await printed(whole, beside);
  assert.deepEqual([again.code, again.out], [1, ""]);
  assert.match(again.err, /already has a user with the email Ada@example\.com\. Use --reset/);
  const publicUrl = { ...beside, PUBLIC_URL: "https://crm.example.com/" };
  const reset = await printed([...person, "--reset"], publicUrl);
  assert.match(reset.out, /^https:\/\/crm\.example\.com\/link#\w{40}\n$/);
  assert.equal(await use(reset.out.trim(), "another good password"), 200);
  const nowhere = whole.with(3, "nowhere");
  const { code, err } = await printed(nowhere, beside);
  assert.equal(code, 1);
  assert.match(
    err,
    /^There is no tenant with the handle or id "nowhere"\. Run `leadport tenant list`/,
  );
});

test("nothing starts with a database into which a restore was interrupted", async (t) => {
  const { url, sql } = await migratedDatabase(t);
  await markIncomplete(sql, true);
  const env = { ...settings(t), DATABASE_URL: url, MASTER_KEY: KEY };
  for (const command of [["start"], ["serve"], ["worker"], ["migrate"], ["tenant", "list"]]) {
    const { code, err } = await leadport(t, command, { env });
    assert.equal(code, 1, command.join(" "));
    assert.match(err, /restore into this database was interrupted/, command.join(" "));
  }
  assert.equal((await sql`select from tenants`).length, 0);
});

test("on your own PostgreSQL: start, migrate, serve and worker, and one master key", async (t) => {
  const { url, sql } = await testDatabase(t);
  const env = { ...settings(t), DATABASE_URL: url, MASTER_KEY: KEY };
  const early = await leadport(t, ["serve"], { env });
  assert.equal(early.code, 1);
  assert.match(early.err, /Run `leadport migrate`/);
  assert.match((await printed(["migrate"], env)).out, /at version \d+ \(it was at 0\)/);
  const service = await startLeadport(t, { env });
  assert.equal(serverPid(env.DATA_DIR), undefined);
  const headers = { authorization: `Bearer ${tokenOf(env.DATA_DIR)}` };
  assert.equal((await fetch(`${service.base}/crm/leads`, { headers })).status, 200);
  const other = { ...env, MASTER_KEY: Buffer.alloc(32, 4).toString("base64") };
  const wrong = await leadport(t, ["serve"], { env: other });
  assert.equal(wrong.code, 1);
  assert.match(wrong.err, /encrypted with another master key/);
  for (const [name, cost] of [
    ["serve", 4],
    ["worker", 3.9],
  ] as const) {
    await sql.unsafe(
      `alter database ${new URL(url).pathname.slice(1)} set random_page_cost = ${cost}`,
    );
    const running = spawnLeadport(t, [name], { env });
    await eventually(() => running.out() !== "" || running.child.exitCode !== null);
    assert.match(
      running.out(),
      name === "serve" ? /The API is listening/ : /The background worker is running/,
    );
    kill(running.pid, "SIGTERM");
    const { code, err } = await running.ended;
    assert.equal(code, 0);
    const warning =
      /random_page_cost is 4 on this PostgreSQL server, .* run `alter database t_\w+ set random_page_cost = 1.1`/;
    assert.equal(warning.test(err), cost === 4, err);
    assert.equal(err.includes("random_page_cost"), cost === 4, err);
  }
});

const skip = oldNode === undefined && "needs an older Node next to this one";

test(
  "under an older Node the installed one takes over, including exit codes and signals",
  { skip },
  async (t) => {
    const through = [oldNode ?? "", "bin/leadport"];
    assert.equal((await leadport(t, ["fly"], { through })).code, 2);
    const env = await installed(t);
    const service = await startLeadport(t, { env, through: [...through, "start"] });
    kill(service.pid, "SIGTERM");
    assert.equal((await service.ended).code, 0);
    assert.equal(serverPid(env.DATA_DIR), undefined);
  },
);

test("without the installed Node an older one says what to do", { skip }, async (t) => {
  const root = folder(t, { mode: 0o755 });
  mkdirSync(join(root, "bin"));
  for (const name of ["leadport", "package.json"]) {
    copyFileSync(join(ROOT, "bin", name), join(root, "bin", name));
  }
  chmodSync(join(root, "bin/leadport"), 0o755);
  const { code, err } = await leadport(t, ["start"], {
    root,
    through: [oldNode ?? "", "bin/leadport"],
  });
  assert.equal(code, 1);
  assert.match(err, /Leadport needs Node\.js 24 or newer, but this is v\d+/);
});
