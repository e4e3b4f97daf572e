/** The command line: help, exit codes, and commands run while the service is running. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sampleOf } from "../../reference/guide-samples.ts";
import { installed, leadport, printed, ROOT, settings, startLeadport } from "../leadport.ts";

const KEY = Buffer.alloc(32, 3).toString("base64");
const TOKEN = /^lp_[A-Za-z0-9]{40}\n$/;

/** A command's parsed output. */
type Json = Readonly<Record<string, unknown>>;

const COMMANDS = [
  "start",
  "serve",
  "worker",
  "migrate",
  "doctor",
  "import",
  "export",
  "tenant create",
  "tenant list",
  "tenant quota",
  "tenant export",
  "tenant import",
  "tenant suspend",
  "tenant resume",
  "tenant delete",
  "tenant restore",
  "person create",
  "person list",
  "token create",
  "key",
  "openapi",
  "docs",
  "completion",
];

test("`leadport --help` lists every command", async (t) => {
  for (const word of ["--help", "-h", "help"]) {
    const { code, out } = await leadport(t, [word]);
    assert.equal(code, 0);
    for (const name of COMMANDS) assert.match(out, new RegExp(`^  ${name} +[A-Z].*\\.$`, "m"));
  }
});

for (const name of COMMANDS) {
  test(`\`leadport ${name} --help\` says how it is used, and needs no settings`, async () => {
    const env = { PORT: "wrong", DATA_DIR: "/nowhere" };
    const { code, out, err } = await printed([...name.split(" "), "--help"], env);
    assert.deepEqual([code, err], [0, ""]);
    assert.ok(out.startsWith(`Usage: leadport ${name} `), out);
    assert.match(out, /--help/);
    assert.match(out, new RegExp(`\\nExamples:\\n(  .*leadport .*\\n?)+$`));
    assert.ok(out.includes(`leadport ${name}`, out.indexOf("Examples:")), out);
  });
}

test("`leadport tenant --help` lists the commands of the group, with an example of each", async () => {
  const { code, out } = await printed(["tenant", "--help"]);
  assert.equal(code, 0);
  for (const name of ["tenant create", "tenant list", "tenant quota"]) {
    assert.match(out, new RegExp(`^  ${name} +[A-Z].*\\.$`, "m"));
    assert.match(out, new RegExp(`^  leadport ${name}`, "m"));
  }
  assert.doesNotMatch(out, /doctor/);
});

test("`leadport --version` prints the version of package.json, the commit and the schema version", async (t) => {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    readonly version: string;
  };
  const schema = readdirSync(join(ROOT, "migrations")).length;
  const printedAs = new RegExp(
    `^leadport ${version} \\(commit ([0-9a-f]{12}|unknown), schema ${schema}\\)\n$`,
  );
  for (const word of ["--version", "version"]) {
    const { code, out, err } = await leadport(t, [word]);
    assert.match(out, printedAs);
    assert.deepEqual({ code, err }, { code: 0, err: "" });
  }
});

const LONG = "x".repeat(300);
const NEW_USER = ["person", "create", "--tenant", "x", "--role", "viewer"];
const WRONG_USES = [
  [],
  ["fly"],
  ["tenant"],
  ["tenant", "fly"],
  ["key", "--fast"],
  ["--fast"],
  ["tenant", "list", "--jsn"],
  ["completion"],
  ["completion", "tcsh"],
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
  ...["soon", "90", "12.11.2030", "2030-02-30", "2020-01-31"].map((time) => [
    "token",
    "create",
    "--tenant",
    "x",
    "--permissions",
    "admin",
    "--expires",
    time,
  ]),
  ["token", "create", "--tenant", "x", "--permissions", "admin", "--name", LONG],
  ["token", "create", "--tenant", "x", "--permissions", "admin", "--owner", LONG],
  [...NEW_USER, "--email", "ada@example.com", "--name", LONG],
  [...NEW_USER, "--email", `${LONG}@example.com`, "--name", "Ada"],
  ["tenant", "create", LONG],
  ["restore", "/nowhere", "--at", "2026-06-31T10:00:00Z"],
];
for (const args of WRONG_USES) {
  const line = args.join(" ").replaceAll(LONG, "(300 characters)");
  test(`\`leadport ${line}\` is wrong use: exit code 2`, async () => {
    const { code, out, err } = await printed(args);
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, /^[A-Z`<-].{8,}/);
    assert.doesNotMatch(err, /\n {4}at /);
  });
}

test("wrong use ends the process with exit code 2", async (t) => {
  const { code, out, err } = await leadport(t, ["key", "--fast"]);
  assert.deepEqual([code, out], [2, ""]);
  assert.match(err, /^`leadport key` has no option --fast/);
});

test("all wrong settings are reported at once: exit code 1", async (t) => {
  const { code, err } = await leadport(t, ["start"], { env: { PORT: "x", HOST: "a b" } });
  assert.equal(code, 1);
  for (const name of ["PORT", "HOST"]) assert.match(err, new RegExp(`${name} must be`));
  assert.equal(err.trim().split("\n").length, 3);
});

const SUGGESTED: readonly (readonly [args: readonly string[], sentence: string])[] = [
  [["strat"], "Unknown command `leadport strat`. Did you mean `leadport start`?"],
  [
    ["tenants", "list"],
    "Unknown command `leadport tenants list`. Did you mean `leadport tenant list`?",
  ],
  [["--verison"], "Unknown option --verison. Did you mean `leadport --version`?"],
  [
    ["export", "leads", "--fromat", "csv"],
    "`leadport export` has no option --fromat. Did you mean --format?",
  ],
];
for (const [args, sentence] of SUGGESTED) {
  test(`\`leadport ${args.join(" ")}\` suggests what was meant`, async () => {
    const { code, err } = await printed(args);
    assert.deepEqual([code, err.split("\n")[0]], [2, sentence]);
  });
}

test("a key is 32 bytes, different each time", async (t) => {
  const keys = [await leadport(t, ["key"]), await leadport(t, ["key"])].map(({ out }) => out);
  assert.equal(Buffer.from(keys[0] ?? "", "base64").length, 32);
  assert.notEqual(keys[0], keys[1]);
});

test("the description of the API is printed without a database", async (t) => {
  const { code, out } = await leadport(t, ["openapi"]);
  assert.equal(code, 0);
  assert.equal((JSON.parse(out) as { openapi: string }).openapi, "3.1.0");
});

test("next to a running service a command uses its database, and leaves it running", async (t) => {
  const env = await installed(t);
  const { base } = await startLeadport(t, { env });
  const args = ["--tenant", "default", "--permissions", "records:read"];
  const { code, out, err } = await printed(["token", "create", ...args], env);
  assert.deepEqual([code, err], [0, ""]);
  assert.match(out, TOKEN);
  const headers = { authorization: `Bearer ${out.trim()}` };
  assert.equal((await fetch(`${base}/crm/leads`, { headers })).status, 200);
});

test("with `--json` commands print what programs read", async (t) => {
  const env = await installed(t);
  await startLeadport(t, { env });
  const json = async (...args: readonly string[]): Promise<Json> => {
    const { code, out, err } = await printed([...args, "--json"], env);
    assert.deepEqual([code, err], [0, ""], args.join(" "));
    return JSON.parse(out) as Json;
  };
  const created = await json("tenant", "create", "Nordlys AS", "--country", "NO");
  assert.match(`${String(created.owner_token)}\n`, TOKEN);
  assert.deepEqual([created.handle, created.default_country], ["nordlys-as", "NO"]);
  const [, listing = ""] =
    /^leadport (.+) --json/.exec(sampleOf("docs/command-line.md", "leadport tenant list --json")) ??
    [];
  const tenants = await json(...listing.split(" "));
  assert.deepEqual(
    (tenants as unknown as Json[]).map(({ handle, name }) => [handle, name]),
    [
      ["default", "default"],
      ["nordlys-as", "Nordlys AS"],
    ],
  );
  const tenant = ["--tenant", "nordlys-as"] as const;
  const token = await json(
    "token",
    "create",
    ...tenant,
    "--permissions",
    "records:read,records:write",
    "--expires",
    "2090-01-31",
  );
  assert.match(`${String(token.token)}\n`, TOKEN);
  assert.deepEqual(token.permissions, ["records:read", "records:write"]);
  assert.equal(token.expires_ts, Date.UTC(2090, 0, 31) / 1000);
  const email = "ada@example.com";
  const person = await json(
    "person",
    "create",
    ...tenant,
    "--email",
    email,
    "--name",
    "Ada",
    "--role",
    "viewer",
  );
  assert.equal(person.email, email);
  assert.match(String(person.link), /\/link#\w{40}$/);
  const users = (await json("person", "list", ...tenant)) as unknown as Json[];
  const ada = users.find((user) => user.email === email);
  assert.deepEqual([ada?.name, ada?.role, ada?.status], ["Ada", "viewer", "invited"]);
  const quota = await json("tenant", "quota", "nordlys-as", "--records", "1000");
  assert.deepEqual(quota.records, { used: 0, limit: 1000, is_default: false });
  assert.ok(Number((quota.bytes as Json | undefined)?.used) > 0);
  const shown = await printed(["person", "list", ...tenant], env);
  assert.match(shown.out, /^EMAIL +ROLE +STATUS +NAME\n/);
  assert.match(shown.out, /^ada@example\.com +viewer +invited +Ada$/m);
});

test("an unreachable database is reported in a sentence without its password", async (t) => {
  const env = { ...settings(t), MASTER_KEY: KEY, DATABASE_URL: "postgres://u:hush@127.0.0.1:1/x" };
  const { code, err } = await leadport(t, ["start"], { env });
  assert.equal(code, 1);
  assert.match(err, /^Cannot reach the database: /);
  assert.doesNotMatch(err, /hush|\n {4}at /);
});
