/** The command line: help, exit codes, commands beside a running service, your own PostgreSQL. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { testDatabase } from "../kit/database.ts";
import { folder, kill, leadport, serverPid, settings, spawnLeadport } from "./leadport.ts";
import { startLeadport, tokenOf } from "./leadport.ts";

const ROOT = join(import.meta.dirname, "../..");
const KEY = Buffer.alloc(32, 3).toString("base64");
const TOKEN = /^lp_[A-Za-z0-9]{40}\n$/;

const COMMANDS = [
  ...["start", "serve", "worker", "migrate", "import", "export"],
  ...["tenant create", "tenant list", "person create", "token create", "key", "openapi", "docs"],
];

test("`leadport --help` lists every command", async (t) => {
  for (const word of ["--help", "-h", "help"]) {
    const { code, out } = await leadport(t, [word]);
    assert.equal(code, 0);
    for (const name of COMMANDS) assert.match(out, new RegExp(`^  ${name} +[A-Z].*\\.$`, "m"));
  }
});

for (const name of COMMANDS) {
  test(`\`leadport ${name} --help\` says how it is used, and needs no settings`, async (t) => {
    const { code, out, err } = await leadport(t, [...name.split(" "), "--help"], {
      env: { PORT: "wrong", DATA_DIR: "/nowhere" },
    });
    assert.deepEqual([code, err], [0, ""]);
    assert.ok(out.startsWith(`Usage: leadport ${name} `), out);
    assert.match(out, /--help/);
  });
}

const WRONG_USES = [
  [],
  ["fly"],
  ["tenant"],
  ["tenant", "fly"],
  ["key", "--fast"],
  ["key", "extra"],
  ["docs", "nothing"],
  ["start", "--processes", "0"],
  ["serve", "--processes", "many"],
  ["tenant", "create"],
  ["person", "create"],
  ["person", "create", "--tenant", "default", "--email", "ada@example.com", "--role", "viewer"],
  ["person", "create", "--tenant", "default", "--email", "ada", "--name", "A", "--role", "viewer"],
  ["person", "create", "--tenant", "x", "--email", "a@b.example", "--name", "A", "--role", "boss"],
  ["token", "create", "--tenant", "default"],
  ["token", "create", "--tenant", "default", "--permissions", "fly"],
  ["token", "create", "--tenant", "x", "--permissions", "admin", "--expires", "soon"],
];
for (const args of WRONG_USES) {
  test(`\`leadport ${args.join(" ")}\` is wrong use: exit code 2`, async (t) => {
    const { code, out, err } = await leadport(t, args);
    assert.deepEqual([code, out], [2, ""]);
    assert.notEqual(err, "");
    assert.doesNotMatch(err, /\n {4}at /);
  });
}

test("wrong settings are all told at once: exit code 1", async (t) => {
  const { code, err } = await leadport(t, ["start"], { env: { PORT: "x", HOST: "a b" } });
  assert.equal(code, 1);
  for (const name of ["PORT", "HOST"]) assert.match(err, new RegExp(`${name} must be`));
  assert.equal(err.trim().split("\n").length, 3);
});

test("a key is 32 bytes, another each time", async (t) => {
  const keys = [await leadport(t, ["key"]), await leadport(t, ["key"])].map(({ out }) => out);
  assert.equal(Buffer.from(keys[0] ?? "", "base64").length, 32);
  assert.notEqual(keys[0], keys[1]);
});

test("the description of the API is printed without a database", async (t) => {
  const { code, out } = await leadport(t, ["openapi"]);
  assert.equal(code, 0);
  assert.equal((JSON.parse(out) as { openapi: string }).openapi, "3.1.0");
});

test("beside a running service a command uses its database, and leaves it running", async (t) => {
  const env = settings(t);
  const { base } = await startLeadport(t, { env });
  const args = ["--tenant", "default", "--permissions", "records:read"];
  const { code, out, err } = await leadport(t, ["token", "create", ...args], { env });
  assert.deepEqual([code, err], [0, ""]);
  assert.match(out, TOKEN);
  const headers = { authorization: `Bearer ${out.trim()}` };
  assert.equal((await fetch(`${base}/crm/leads`, { headers })).status, 200);
});

test("without a service a command starts the database for as long as it needs", async (t) => {
  const env = settings(t);
  const made = await leadport(t, ["tenant", "create", "acme"], { env });
  assert.match(made.out, TOKEN);
  assert.equal(serverPid(env.DATA_DIR), undefined);
  const named = (...rest: string[]) => leadport(t, ["tenant", "create", "acme", ...rest], { env });
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
  assert.match(malformed.err, /^The handle "No Handle" is not valid\. A handle has .*\.\n$/);
  const listed = await leadport(t, ["tenant", "list"], { env });
  assert.deepEqual([listed.code, listed.err], [0, ""]);
  assert.match(
    listed.out,
    /^HANDLE +ID +CREATED +NAME\nacme {4}[0-9a-f-]{36} {2}\d{4}-\d\d-\d\d {2}acme\nacme-2 {2}\S{36} {2}\S{10} {2}acme\n$/,
  );
  assert.equal(serverPid(env.DATA_DIR), undefined);
});

test("a tenant is addressed by its handle or id: a name or anything else is told where to look", async (t) => {
  const env = settings(t);
  const lead = join(folder(t), "leads.csv");
  writeFileSync(lead, "name\nAda\n");
  const early = await leadport(t, ["export", "leads"], { env });
  assert.deepEqual(
    [early.code, early.err],
    [
      1,
      "This installation has no first tenant yet: leadport start creates it. " +
        "Choose a tenant with --tenant. Run leadport tenant list to see all tenants.\n",
    ],
  );
  await startLeadport(t, { env });
  await leadport(t, ["tenant", "create", "Nordlys AS", "--handle", "north"], { env });
  const { out } = await leadport(t, ["tenant", "list"], { env });
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
      const none = await leadport(t, [...command, "--tenant", name], { env });
      assert.deepEqual(
        [none.code, none.err],
        [
          1,
          `There is no tenant with the handle or id "${name}". Run leadport tenant list to see all tenants.\n`,
        ],
      );
    }
  }
  for (const tenant of ["north", id]) {
    const args = ["token", "create", "--permissions", "admin", "--tenant", tenant];
    assert.match((await leadport(t, args, { env })).out, TOKEN);
  }
});

test("no name of a tenant steers the terminal of whoever lists them", async (t) => {
  const env = settings(t);
  const name = "Evil\u001b[2J\n\u202eexample";
  await leadport(t, ["tenant", "create", name], { env });
  const { out } = await leadport(t, ["tenant", "list"], { env });
  assert.match(out, /^evil-2j-example .* {2}Evil\uFFFD\[2J\uFFFD\uFFFDexample$/m);
  assert.equal(out.trimEnd().split("\n").length, 2);
});

test("a person is made by a link that is alone on stdout, and let in again by --reset", async (t) => {
  const env = settings(t);
  const { base } = await startLeadport(t, { env });
  const beside = { env: { ...env, PORT: new URL(base).port } };
  const person = ["person", "create", "--tenant", "default", "--email", "Ada@example.com"];
  const whole = [...person, "--name", "Ada Example", "--role", "owner"];
  const use = async (link: string, password: string) => {
    const body = JSON.stringify({ token: new URL(link).hash.slice(1), password });
    const headers = { "content-type": "application/json" };
    return (await fetch(`${base}/auth/links/use`, { method: "POST", headers, body })).status;
  };
  const none = await leadport(t, [...person, "--reset"], beside);
  assert.deepEqual(
    [none.code, none.err],
    [1, "Nobody of this tenant has the e-mail Ada@example.com.\n"],
  );
  const made = await leadport(t, whole, beside);
  assert.deepEqual([made.code, made.err], [0, ""]);
  assert.match(made.out, new RegExp(`^${base}/link#\\w{40}\n$`));
  assert.equal(await use(made.out.trim(), "correct horse battery"), 200);
  const again = await leadport(t, whole, beside);
  assert.deepEqual([again.code, again.out], [1, ""]);
  assert.match(again.err, /is there already; with --reset/);
  const publicUrl = { env: { ...beside.env, PUBLIC_URL: "https://crm.example.com/" } };
  const reset = await leadport(t, [...person, "--reset"], publicUrl);
  assert.match(reset.out, /^https:\/\/crm\.example\.com\/link#\w{40}\n$/);
  assert.equal(await use(reset.out.trim(), "another good password"), 200);
  const nowhere = whole.with(3, "nowhere");
  const { code, err } = await leadport(t, nowhere, beside);
  assert.equal(code, 1);
  assert.match(
    err,
    /^There is no tenant with the handle or id "nowhere"\. Run leadport tenant list/,
  );
});

test("on your own PostgreSQL: start, migrate, serve and worker, and one master key", async (t) => {
  const { url, sql } = await testDatabase(t);
  const env = { ...settings(t), DATABASE_URL: url, MASTER_KEY: KEY };
  const early = await leadport(t, ["serve"], { env });
  assert.equal(early.code, 1);
  assert.match(early.err, /run `leadport migrate`/);
  assert.match((await leadport(t, ["migrate"], { env })).out, /at version \d+ \(it was at 0\)/);
  const service = await startLeadport(t, { env });
  assert.equal(serverPid(env.DATA_DIR), undefined);
  const headers = { authorization: `Bearer ${tokenOf(env.DATA_DIR)}` };
  assert.equal((await fetch(`${service.base}/crm/leads`, { headers })).status, 200);
  const other = { ...env, MASTER_KEY: Buffer.alloc(32, 4).toString("base64") };
  const wrong = await leadport(t, ["serve"], { env: other });
  assert.equal(wrong.code, 1);
  assert.match(wrong.err, /written with another master key/);
  for (const [name, cost] of [
    ["serve", 4],
    ["worker", 3.9],
  ] as const) {
    await sql.unsafe(
      `alter database ${new URL(url).pathname.slice(1)} set random_page_cost = ${cost}`,
    );
    const running = spawnLeadport(t, [name], { env });
    while (running.out() === "" && running.child.exitCode === null) await sleep(20);
    assert.match(running.out(), name === "serve" ? /The API listens/ : /The background work runs/);
    kill(running.pid, "SIGTERM");
    const { code, err } = await running.ended;
    assert.equal(code, 0);
    const warning =
      /random_page_cost of this PostgreSQL is 4: .* run `alter database t_\w+ set random_page_cost = 1.1`/;
    assert.equal(warning.test(err), cost === 4, err);
    assert.equal(err.includes("random_page_cost"), cost === 4, err);
  }
});

test("a database that cannot be reached is told in a sentence without its password", async (t) => {
  const env = { ...settings(t), MASTER_KEY: KEY, DATABASE_URL: "postgres://u:hush@127.0.0.1:1/x" };
  const { code, err } = await leadport(t, ["start"], { env });
  assert.equal(code, 1);
  assert.match(err, /^The database cannot be reached: /);
  assert.doesNotMatch(err, /hush|\n {4}at /);
});

/** A Node older than the program needs, where the machine has one. */
const oldNode = (() => {
  const { PATH = "" } = process.env;
  for (const place of PATH.split(":").filter((path) => !path.includes("node_modules"))) {
    try {
      const node = join(place, "node");
      const version = execFileSync(node, ["--version"], { encoding: "utf8" });
      if (Number(/^v(\d+)/.exec(version)?.[1]) < 24) return node;
    } catch {
      // None here.
    }
  }
  return undefined;
})();
const skip = oldNode === undefined && "needs an older Node beside this one";

test(
  "under an older Node the installed one takes over, exit codes and signals too",
  { skip },
  async (t) => {
    const through = [oldNode ?? "", "bin/leadport"];
    assert.equal((await leadport(t, ["fly"], { through })).code, 2);
    const env = settings(t);
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
  assert.match(err, /Leadport needs Node 24 or newer; this is v\d+/);
});
