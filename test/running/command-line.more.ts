/** The command line: help, exit codes, and commands next to a running service. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { leadport, settings, startLeadport } from "./leadport.ts";

const KEY = Buffer.alloc(32, 3).toString("base64");
const TOKEN = /^lp_[A-Za-z0-9]{40}\n$/;

const COMMANDS = [
  ...["start", "serve", "worker", "migrate", "import", "export"],
  ...[
    "tenant create",
    "tenant list",
    "tenant quota",
    "person create",
    "token create",
    "key",
    "openapi",
    "docs",
  ],
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
  ["tenant", "quota"],
  ["tenant", "quota", "default", "--records", "many"],
  ["tenant", "quota", "default", "--bytes", "10"],
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

test("a database that cannot be reached is told in a sentence without its password", async (t) => {
  const env = { ...settings(t), MASTER_KEY: KEY, DATABASE_URL: "postgres://u:hush@127.0.0.1:1/x" };
  const { code, err } = await leadport(t, ["start"], { env });
  assert.equal(code, 1);
  assert.match(err, /^The database cannot be reached: /);
  assert.doesNotMatch(err, /hush|\n {4}at /);
});
