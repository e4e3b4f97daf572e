/** `leadport import` and `leadport export` as a user runs them. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { eventually } from "../../kit/eventually.ts";
import { fileApi } from "../../kit/file-api.ts";
import type { Client } from "../../kit/api.ts";
import { folder, leadport, printed, spawnLeadport } from "../../running/leadport.ts";
import { recordsOf } from "../imports/sending.ts";

const api = await fileApi();
const env = {
  DATABASE_URL: api.databaseUrl,
  MASTER_KEY: randomBytes(32).toString("base64url"),
  LOG_LEVEL: "warn",
};

/** Runs a command in this process. Its output to a pipe or terminal is tested with `leadport`. */
const run = ({ tenantId }: Client, args: readonly string[]) =>
  printed([...args, "--tenant", tenantId], env);

function file(t: TestContext, name: string, text: string): string {
  const path = join(folder(t), name);
  writeFileSync(path, text);
  return path;
}

test("an import prints how it reads the file and its result", async (t) => {
  const acme = await api.tenant();
  const path = file(t, "leads.csv", "Full Name;E-mail 1;Shoe\nAnn;ann@example.com;3\nBo;;\n");
  const { code, out, err } = await run(acme, ["import", "leads", path]);
  assert.equal(code, 0, err);
  assert.match(out, /Format: csv, utf-8, delimiter ";"\. Columns:/);
  assert.match(out, /"Full Name" → name/);
  assert.match(out, /"E-mail 1" → email/);
  assert.match(out, /not recognized, not imported: "Shoe"/);
  assert.match(out, /2 rows in [\d.]+ s \(\d+ rows\/s\)/);
  assert.match(out, /2 created, 0 updated, 0 unchanged, 0 rejected/);
  assert.ok(!existsSync(`${path}.rejects.csv`));
  assert.equal((await recordsOf(acme, "/crm/leads")).length, 2);
});

test("with --json only the result is on standard output, also if rows were rejected", async (t) => {
  const acme = await api.tenant();
  const path = file(t, "leads.csv", `name,email\nAnn,\n,\nBo,${"x".repeat(300)}\n`);
  const { code, out, err } = await run(acme, ["import", "leads", path, "--json"]);
  assert.equal(code, 0, err);
  const { type, state, rows, created, refused, rejects_file } = JSON.parse(out);
  assert.deepEqual([type, state, rows, created, refused], ["lead", "finished", 2, 1, 1]);
  assert.equal(rejects_file, `${path}.rejects.csv`);
  assert.match(err, /Format: csv/);
  assert.match(err, /1 row was rejected/);
  const dry = await run(acme, ["import", "leads", path, "--json", "--dry-run"]);
  assert.equal(JSON.parse(dry.out).dry_run, true);
  const none = file(t, "none.csv", `name,email\n,${"x".repeat(300)}\n`);
  const failed = await run(acme, ["import", "leads", none, "--json"]);
  assert.deepEqual([failed.code, JSON.parse(failed.out).refused], [1, 1]);
});

test("rejected rows are in a separate file, which can be imported after fixing them", async (t) => {
  const acme = await api.tenant();
  const path = file(t, "leads.csv", `name,email\nAnn,\n,\nBo,${"x".repeat(300)}\nCy,,,,z\n`);
  const { code, out } = await run(acme, ["import", "lead", path]);
  assert.equal(code, 0);
  assert.match(out, /2 rows were rejected: .*leads\.csv\.rejects\.csv/);
  assert.match(out, /line 4: email has 300 characters/);
  const rejects = `${path}.rejects.csv`;
  const text = readFileSync(rejects, "utf8").replace(/x{300}/, "bo@example.com");
  writeFileSync(rejects, text.replace("Cy,,,,z", "Cy,"));
  const again = await run(acme, ["import", "leads", rejects, "--rejects", `${path}.twice.csv`]);
  assert.equal(again.code, 0, again.err);
  assert.match(again.out, /2 created/);
  assert.equal((await recordsOf(acme, "/crm/leads")).length, 3);
});

test("an export for spreadsheets needs its option", async (t) => {
  const acme = await api.tenant();
  await acme.post("/crm/leads", { name: "=1+1", phone: "+1 415 555 0100" });
  const path = file(
    t,
    "leads.csv",
    (await acme.get("/crm/leads/export", { for: "spreadsheet" })).text,
  );
  const refused = await run(acme, ["import", "leads", path]);
  assert.equal(refused.code, 1);
  assert.match(
    refused.err,
    /was exported for spreadsheets.*; set the option spreadsheet \(--spreadsheet/,
  );
  const { code, out, err } = await run(acme, ["import", "leads", path, "--spreadsheet"]);
  assert.equal(code, 0, err);
  assert.match(out, /1 created/);
});

test("an import in which every row is rejected fails", async (t) => {
  const acme = await api.tenant();
  const path = file(t, "deals.csv", "name,account\nOne,Nobody\n");
  const { code, err } = await run(acme, ["import", "deals", path]);
  assert.equal(code, 1);
  assert.match(err, /Every row was rejected/);
  const many = file(t, "many.csv", `name,account\n${"One,Nobody\n".repeat(7)}`);
  const { out } = await run(acme, ["import", "deals", many]);
  assert.match(out, /7 rows were rejected: .*\n( {2}line [2-6]: .*\n){5} {2}… and 2 more\n/);
});

/** Runs a command whose output is not read. Its exit code is at the end of `err`. */
const runUnread = (t: TestContext, { tenantId }: Client, args: readonly string[]) => {
  const line = '{ "$0" bin/leadport "$@"; echo "code $?" >&2; } | true';
  const through = ["sh", "-c", line, process.execPath];
  return leadport(t, [...args, "--tenant", tenantId], { env, through });
};

test("a command whose output is closed still does its work and returns its exit code", async (t) => {
  const acme = await api.tenant();
  const path = file(t, "deals.csv", "name,account\nOne,Nobody\n");
  const { err } = await runUnread(t, acme, ["import", "deals", path]);
  assert.match(err, /Every row was rejected\.\ncode 1\n$/);
  assert.match(readFileSync(`${path}.rejects.csv`, "utf8"), /One,Nobody/);
  for (let at = 0; at < 3; at += 1) await acme.post("/crm/leads", { name: "x".repeat(500) });
  assert.equal((await runUnread(t, acme, ["export", "leads"])).err, "code 0\n");
});

test("options complete what the file does not state", async (t) => {
  const acme = await api.tenant();
  for (const name of ["Globex", "Walk-in"]) await acme.post("/crm/accounts", { name });
  const text = "No;who;product;Phase;day\n1;Globex;Anvil;Won;03/04/2024\n2;;Rope;Won;03/04/2024\n";
  const path = file(t, "deals.txt", text);
  const args = [
    ["import", "opportunities", path, "--set", "name={who} – {product}", "--map", "who=account_id"],
    ["--map", "Phase=stage", "--value", "stage:Won=closed_won", "--map", "day=close_date"],
    ["--default-account", "Walk-in", "--external-id", "No", "--dates", "dmy"],
    ["--delimiter", ";", "--encoding", "utf-8", "--format", "csv"],
  ].flat();
  const { code, out, err } = await run(acme, args);
  assert.equal(code, 0, err);
  assert.match(out, /2 created/);
  const deals = await recordsOf(acme, "/crm/deals");
  assert.deepEqual(
    deals.map(({ name, account_name, stage, close_date }) => [
      name,
      account_name,
      stage,
      close_date,
    ]),
    [
      ["Rope", "Walk-in", "closed_won", Date.UTC(2024, 3, 3) / 1000],
      ["Globex – Anvil", "Globex", "closed_won", Date.UTC(2024, 3, 3) / 1000],
    ],
  );
  const again = await run(acme, args);
  assert.match(again.out, /0 created, 0 updated, 2 unchanged/);
});

test("--dry-run shows what would happen and writes nothing; --strict rejects warnings", async (t) => {
  const acme = await api.tenant();
  const path = file(t, "leads.csv", "name,source\nAnn,Pigeon\nBo,Google\n");
  const dry = await run(acme, ["import", "leads", path, "--dry-run"]);
  assert.equal(dry.code, 0, dry.err);
  assert.match(dry.out, /Dry run, nothing was written[^]*2 created/);
  assert.match(dry.out, /\n {2}2 rows in [^]*\n {2}1 row was imported with warnings:\n/);
  assert.match(dry.out, /1 unknown_word: not a valid value[^]*1 × source "Pigeon"/);
  assert.deepEqual(await recordsOf(acme, "/crm/leads"), []);
  const strict = await run(acme, ["import", "leads", path, "--strict"]);
  assert.match(strict.out, /1 created, 0 updated, 0 unchanged, 1 rejected\n1 row was rejected: /);
  assert.match(strict.out, /\n {2}line 2: source: "Pigeon" is not a known value\n$/);
});

const WRONG: readonly (readonly [string, readonly string[], number, RegExp])[] = [
  ["an unknown type", ["import", "unicorns", "x.csv"], 2, /no record type unicorns/],
  ["no file", ["import", "leads"], 2, /<file> is missing\.\nUsage: leadport import <type> <file>/],
  ["an unknown option", ["import", "leads", "x.csv", "--colour", "red"], 2, /colour/],
  [
    "NDJSON for a spreadsheet",
    ["export", "leads", "--format", "ndjson", "--spreadsheet"],
    2,
    /CSV/,
  ],
  ["an unknown encoding", ["import", "leads", "x.csv", "--encoding", "ebcdic"], 2, /--encoding/],
  ["a map that maps nothing", ["import", "leads", "x.csv", "--map", "x"], 2, /column=field/],
  [
    "a file that is not there",
    ["import", "leads", "/nowhere/x.csv"],
    1,
    /^Cannot read .*: the file does not exist/,
  ],
  ["an unknown type to export", ["export", "unicorns"], 2, /no record type unicorns/],
  ["an unknown format", ["export", "leads", "--format", "xlsx"], 2, /csv or ndjson/],
  ["a filter on what is no field", ["export", "leads", "--filter", '{"x":1}'], 2, /--filter/],
  ["an unknown member", ["export", "leads", "--fields", "name,nme"], 2, /--fields: .*, not 'nme'/],
];
for (const [what, args, expected, message] of WRONG) {
  test(`${what} exits with code ${expected}`, async () => {
    const { code, err } = await run(await api.tenant(), args);
    assert.equal(code, expected, err);
    assert.match(err, message);
  });
}

test("a file that does not match its options fails with the reason", async (t) => {
  const path = file(t, "leads.csv", "name\nAnn\n");
  const args = ["import", "leads", path, "--map", "Nme=name", "--set", "nme=x"];
  const { code, err } = await run(await api.tenant(), args);
  assert.equal(code, 1);
  assert.match(err, /--map: the file has no column "Nme"\n--set: .*no field "nme"/);
});

test("an export goes to a file or to standard output, and back in through standard input", async (t) => {
  const acme = await api.tenant();
  const other = await api.tenant();
  for (const name of ["Ann", "Bo"]) await acme.post("/crm/leads", { name, status: "open" });
  await acme.post("/crm/leads", { name: "Cy" });
  const path = join(folder(t), "leads.ndjson");
  const tenant = ["--tenant", acme.tenantId];
  const filter = '{"lead_status":"open"}';
  const done = await run(acme, ["export", "leads", "--out", path, "--filter", filter]);
  assert.equal(done.code, 0, done.err);
  assert.equal(readFileSync(path, "utf8").split("\n").length, 3);
  const shown = await leadport(t, ["export", "lead", ...tenant], { env });
  assert.match(shown.out, /^_id,external_id,[^]*\r\n.*,Cy,/);
  const chosen = await leadport(t, ["export", "lead", "--fields", "source,name", ...tenant], {
    env,
  });
  assert.match(chosen.out, /^_id,name,source,version\r\n/);
  const through = ["sh", "-c", `cat ${path} | "$0" bin/leadport "$@"`, process.execPath];
  const args = ["import", "leads", "-", "--format", "ndjson", "--tenant", other.tenantId];
  const back = await leadport(t, args, { env, through });
  assert.equal(back.code, 0, back.err);
  assert.match(back.out, /2 created/);
});

test("a named pipe is read twice, like standard input", async (t) => {
  const acme = await api.tenant();
  const rows = "Ann,03/04/2025,\n".repeat(2000);
  const rejected = `Bo,25/04/2025,${"x".repeat(6000)}\n`;
  const pipe = join(folder(t), "pipe");
  execFileSync("sh", ["-c", `mkfifo ${pipe}`]);
  const text = `name,decision_date,title\n${rows}${rejected}`;
  const args = ["import", "leads", pipe, "--tenant", acme.tenantId];
  const [{ code, out, err }] = await Promise.all([
    leadport(t, args, { env: { ...env, DATA_DIR: folder(t) } }),
    writeFile(pipe, text),
  ]);
  assert.equal(code, 0, err);
  assert.match(out, /2000 created, 0 updated, 0 unchanged, 1 rejected/);
  const [last] = await recordsOf(acme, "/crm/leads");
  assert.equal(last?.["decision_date"], Date.UTC(2025, 3, 3) / 1000);
  assert.ok(existsSync(`${pipe}.rejects.csv`));
});

test("standard input is read twice, and the last row decides how the first is read", async (t) => {
  const acme = await api.tenant();
  const rows = Array.from({ length: 1500 }, (_, at) => `Row ${at},03/04/2025\n`).join("");
  const path = file(t, "leads.csv", `name,decision_date\n${rows}Last,25/04/2025\n`);
  const dataDir = folder(t);
  const through = ["sh", "-c", `cat ${path} | "$0" bin/leadport "$@"`, process.execPath];
  const args = ["import", "leads", "-", "--tenant", acme.tenantId];
  const done = await leadport(t, args, { env: { ...env, DATA_DIR: dataDir }, through });
  assert.equal(done.code, 0, done.err);
  assert.match(
    done.out,
    /"decision_date": dates with "\/" are dmy \(determined from the whole column\)/,
  );
  assert.match(done.out, /1501 created/);
  assert.deepEqual(readdirSync(join(dataDir, "imports")), []);
});

test("a dry run shows which records an update would change", async (t) => {
  const acme = await api.tenant();
  await acme.post("/crm/leads", { name: "Ann", external_id: "1", title: "Mr" });
  const path = file(t, "leads.csv", "Key,title\n1,Dr\n2,Prof\n");
  const args = ["import", "leads", path, "--external-id", "Key", "--mode", "update", "--dry-run"];
  const { code, out, err } = await run(acme, args);
  assert.equal(code, 0, err);
  assert.match(
    out,
    /1 row would change existing records:\n {4}line 2: \w{24} "Ann"\n {6}title: "Mr" → "Dr"/,
  );
  assert.match(out, /line 3: unknown_id: no lead has the external_id "2"/);
  const twice = file(t, "twice.csv", "Key,title\n1,Dr\n1,Prof\n");
  const both = await run(acme, args.with(2, twice));
  assert.match(both.out, /2 rows would change 1 existing record:\n {4}line 2: /);
  const wrong = await run(acme, ["import", "leads", path, "--mode", "update"]);
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /--mode: .*requires external_id/);
});

test("a terminal is asked about a column that can be read in two ways", async (t) => {
  const acme = await api.tenant();
  const path = file(t, "leads.csv", "name,decision_date\nAnn,03/04/2025\n");
  const command = `node bin/leadport import leads ${path} --tenant ${acme.tenantId}`;
  const through = ["sh", "-c", `(echo dmy; cat) | script -qec "${command}" /dev/null`];
  const { out } = await leadport(t, [], { env, through });
  assert.match(out, /Does the day or the month come first\? dmy or mdy \[mdy\]/);
  assert.match(out, /dates with "\/" are dmy \(your choice\)/);
});

for (const [key, pressed] of [
  ["\u0003", "Ctrl-C"],
  ["\u0004", "Ctrl-D"],
] as const) {
  test(`${pressed} at a question ends a command with code 130 and a sentence`, async (t) => {
    const acme = await api.tenant();
    const path = file(t, "leads.csv", "name,decision_date\nAnn,03/04/2025\n");
    const keyboard = join(folder(t), "keyboard");
    execFileSync("sh", ["-c", `mkfifo ${keyboard}`]);
    const typing = openSync(keyboard, "r+");
    for (const [command, question, sentence] of [
      [
        `import leads ${path} --tenant ${acme.tenantId}`,
        /\[mdy\] /,
        "The import was interrupted. Run the same command again to continue.",
      ],
      [`tenant delete ${acme.tenantId}`, /to confirm: /, "Canceled."],
    ] as const) {
      const line = `${process.execPath} bin/leadport ${command}`;
      const through = ["sh", "-c", `script -qec "${line}" /dev/null < ${keyboard}`];
      const running = spawnLeadport(t, [], { env, through });
      await eventually(running.out, (text) => question.test(text));
      writeSync(typing, key);
      const { code, out } = await running.ended;
      assert.equal(code, 130);
      assert.match(out, new RegExp(`\\n${sentence}\\s*$`));
      assert.doesNotMatch(out, /\n {4}at /);
    }
    closeSync(typing);
  });
}
