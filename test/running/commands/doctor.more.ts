/** `leadport doctor` on healthy and on broken installations. */

import assert from "node:assert/strict";
import { chmodSync, readdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { checkClock } from "../../../src/commands/doctor/doctor-database.ts";
import { systemClock } from "../../../src/platform/clock/clock.ts";
import { createSealer } from "../../../src/platform/secrets/sealing.ts";
import { migratedDatabase, requireSchema, testDatabase } from "../../kit/database.ts";
import { certificateUntil, withoutOpenssl } from "../../kit/openssl.ts";
import {
  folder,
  kill,
  leadport,
  printed,
  settings as plainSettings,
  startLeadport,
} from "../leadport.ts";
import { NOT_DURABLE } from "../../kit/server.ts";
import { openSession } from "../../kit/started.ts";

type Env = Readonly<Record<string, string>>;

interface Finding {
  readonly check: string;
  readonly status: string;
  readonly message: string;
  readonly remedy?: string;
}

const MASTER_KEY = Buffer.alloc(32, 3).toString("base64");
const DAY_ms = 86_400_000;

/** Settings that cause no warning: the erasure log is outside the data folder. */
const settings = (t: TestContext) => ({
  ...plainSettings(t),
  ERASURE_LOG: join(folder(t), "erasures.ndjson"),
});

/** Runs `leadport doctor`. Asserts that the exit code agrees with the findings, and returns them. */
async function doctor(env: Env): Promise<readonly Finding[]> {
  const { code, out, err } = await printed(["doctor", "--json"], env);
  const result = JSON.parse(out || err) as { ok: boolean; findings: readonly Finding[] };
  const isWrong = result.findings.some(({ status }) => status === "error");
  assert.deepEqual([code, result.ok], [isWrong ? 1 : 0, !isWrong]);
  for (const { status, remedy } of result.findings) {
    assert.equal(remedy !== undefined, ["warning", "error"].includes(status));
  }
  return result.findings;
}

/** Whether a finding is about a setting of the server that the tests share, whose data need not survive a crash. */
const isAboutServer = ({ message }: Finding): boolean =>
  Object.entries(NOT_DURABLE).some(([name, value]) => message.startsWith(`${name} is ${value}: `));

const problems = (findings: readonly Finding[]): readonly Finding[] =>
  findings
    .filter(({ status }) => status === "error" || status === "warning")
    .filter((finding) => !isAboutServer(finding));

const checks = (findings: readonly Finding[]) => findings.map(({ check }) => check);

/** Asserts that there is exactly one problem, and returns it. */
function onlyProblem(findings: readonly Finding[]): Finding {
  const found = problems(findings);
  assert.equal(found.length, 1, JSON.stringify(found));
  return found[0] as Finding;
}

/** Creates an installation with a separate database that already records its master key. */
async function external(t: TestContext) {
  const { sql, url } = await migratedDatabase(t);
  const env = { ...settings(t), DATABASE_URL: url, MASTER_KEY };
  const { code } = await printed(["tenant", "create", "Acme"], env);
  assert.equal(code, 0);
  const [tenant] = await sql<{ id: string }[]>`select id from tenants`;
  return { sql, url, env, tenantId: tenant?.id ?? "" };
}

/** Returns every file in a data folder that belongs to Leadport, with its mode and content. */
const filesOf = (dataDir: string) =>
  readdirSync(dataDir)
    .filter(
      (name) =>
        !/^(postgres|exports|lock|lock-journal|holder\.json|database-url|service-address)$/.test(
          name,
        ),
    )
    .map((name) => {
      const path = join(dataDir, name);
      return [name, statSync(path).mode, readFileSync(path, "utf8")] as const;
    });

test("a sound installation has no problem, running and stopped, and stays as it is", async (t) => {
  const env = settings(t);
  const service = await startLeadport(t, { env });
  const before = filesOf(env.DATA_DIR);
  const running = await doctor(env);
  assert.deepEqual(problems(running), []);
  kill(service.pid, "SIGTERM");
  await service.ended;
  const stopped = await doctor(env);
  assert.deepEqual(problems(stopped), []);
  assert.deepEqual(checks(stopped), checks(running));
  assert.deepEqual(checks(running), [
    "folder",
    "disk",
    "certificate",
    "backups",
    "erasure log",
    "clock",
    "version",
    "settings",
    "migrations",
    "master key",
    "jobs",
    "held deliveries",
    "counters",
    "templates",
  ]);
  assert.deepEqual(filesOf(env.DATA_DIR), before);
  const { code, out } = await leadport(t, ["doctor"], { env });
  assert.equal(code, 0);
  assert.match(out, /^ok {7}folder {11}\S+ is writable/m);
});

test("an erasure log that is lost with the data folder, and a missing one, are warnings", async (t) => {
  const { ERASURE_LOG: _, ...env } = settings(t);
  const service = await startLeadport(t, { env });
  const inside = onlyProblem(await doctor(env));
  assert.deepEqual([inside.check, inside.status], ["erasure log", "warning"]);
  assert.match(inside.message, /erasures\.ndjson\)\. If that folder is lost/);
  assert.match(inside.remedy ?? "", /ERASURE_LOG/);
  kill(service.pid, "SIGTERM");
  await service.ended;
  const { ERASURE_LOG: __, ...ours } = (await external(t)).env;
  const missing = onlyProblem(await doctor(ours));
  assert.match(missing.message, /There is no erasure log, so people cannot be erased/);
});

test("open secrets, a missing key and a missing database are found", async (t) => {
  const env = settings(t);
  const service = await startLeadport(t, { env });
  kill(service.pid, "SIGTERM");
  await service.ended;
  const [key, token] = ["master-key", "owner-token"].map((name) => join(env.DATA_DIR, name));
  chmodSync(token ?? "", 0o644);
  const open = onlyProblem(await doctor(env));
  assert.deepEqual([open.check, open.remedy], ["folder", `chmod 600 ${token}`]);
  chmodSync(token ?? "", 0o600);
  renameSync(key ?? "", `${key}.away`);
  const lost = onlyProblem(await doctor(env));
  assert.deepEqual([lost.check, lost.message], ["master key", "There is no master key."]);
  assert.ok(!readdirSync(env.DATA_DIR).includes("master-key"), "no other key is created");
  renameSync(`${key}.away`, key ?? "");
  const [data, away] = ["postgres", "postgres.away"].map((name) => join(env.DATA_DIR, name));
  renameSync(data ?? "", away ?? "");
  const gone = onlyProblem(await doctor(env));
  assert.equal(gone.check, "database");
  assert.match(gone.message, /contains no database/);
  assert.ok(!readdirSync(env.DATA_DIR).includes("postgres"), "no other database is created");
  renameSync(away ?? "", data ?? "");
});

test("a folder that does not exist is an error, and is not created", async (t) => {
  const DATA_DIR = join(folder(t), "none");
  const found = onlyProblem(await doctor({ ...settings(t), DATA_DIR }));
  assert.match(found.message, /does not exist/);
  assert.ok(!readdirSync(join(DATA_DIR, "..")).includes("none"));
});

test("a full disk is found", async (t) => {
  const env = settings(t);
  const service = await startLeadport(t, { env });
  const findings = await doctor({ ...env, DISK_RESERVE: "8000TB" });
  kill(service.pid, "SIGTERM");
  const found = onlyProblem(findings);
  assert.equal(found.check, "disk");
  assert.match(found.message, /Writes return 503/);
});

test(
  "an expired certificate is an error, one that expires soon a warning",
  { skip: withoutOpenssl },
  async (t) => {
    const { env } = await external(t);
    for (const [days, status] of [
      [-1, "error"],
      [3, "warning"],
      [60, "ok"],
    ] as const) {
      const files = certificateUntil(folder(t), new Date(Date.now() + days * DAY_ms));
      const findings = await doctor({ ...env, ...files });
      const found = findings.find(({ check }) => check === "certificate");
      assert.equal(found?.status, status, JSON.stringify(found));
    }
  },
);

test("settings that lose data or log values are found with the statement that fixes them", async (t) => {
  const { sql, url, env } = await external(t);
  const name = new URL(url).pathname.slice(1);
  for (const [setting, wrong, status] of [
    ["synchronous_commit", "off", "error"],
    ["log_error_verbosity", "default", "warning"],
    ["timezone", "Asia/Tokyo", "warning"],
    ["random_page_cost", "4", "warning"],
  ] as const) {
    await sql.unsafe(`alter database ${name} set ${setting} = '${wrong}'`);
    const found = onlyProblem(await doctor(env));
    assert.deepEqual([found.check, found.status], ["settings", status], setting);
    const [statement = ""] = /alter database .*?;/.exec(found.remedy ?? "") ?? [];
    await sql.unsafe(statement);
    assert.deepEqual(problems(await doctor(env)), [], setting);
  }
});

test("a schema that is too old or too new is found", async (t) => {
  const { sql, env } = await external(t);
  await sql`insert into schema_migrations (version, name) values (9999, 'of the next release')`;
  assert.deepEqual(problems(await doctor(env)), [], "this release can still serve the database");
  await requireSchema(sql, 9999);
  const later = onlyProblem(await doctor(env));
  assert.match(
    later.message,
    /^The database at version 9999, .* needs a program with schema version 9999 or later/,
  );
  const { url } = await testDatabase(t);
  const empty = onlyProblem(await doctor({ ...env, DATABASE_URL: url }));
  assert.deepEqual([empty.check, /at version 0/.test(empty.message)], ["migrations", true]);
});

test("another master key and a database that cannot be reached are found, without a secret", async (t) => {
  const { url, env } = await external(t);
  const other = { ...env, MASTER_KEY: Buffer.alloc(32, 4).toString("base64") };
  const found = onlyProblem(await doctor(other));
  assert.deepEqual([found.check, found.status], ["master key", "error"]);
  const away = new URL(url);
  away.port = "1";
  away.password = "s3cret-password";
  const { out, err } = await leadport(t, ["doctor"], { env: { ...env, DATABASE_URL: away.href } });
  assert.match(out, /^error {4}database {9}Cannot reach the database/m);
  assert.ok(!(out + err).includes("s3cret-password"));
});

test("stuck jobs, paused webhooks and counters behind their records are found", async (t) => {
  const { sql, env, tenantId } = await external(t);
  await sql`
    insert into deliveries (tenant_id, id, topic, subject_id, status, attempts, tries, next_at, created_ts, updated_ts)
    values (${tenantId}, 'd1', 'event', 's1', 'pending', 0, 0, now() - interval '1 hour', 0, 0)`;
  const stuck = onlyProblem(await doctor(env));
  assert.match(stuck.message, /^A job of kind event has been due for 60 minutes\.$/);
  await sql`delete from deliveries`;
  await sql`
    insert into event_webhooks (tenant_id, id, url, events, subject_types, enabled, disabled_reason,
                                sealed, position, created_ts, updated_ts)
    values (${tenantId}, 'w1', 'https://example.com/hook?token=secret', '{lead.created}', '{lead}', false, 'failing', '', 0, 0, 0)`;
  const paused = onlyProblem(await doctor(env));
  assert.deepEqual([paused.check, paused.status], ["jobs", "warning"]);
  assert.match(
    paused.message,
    /^The event webhook of \S+ to https:\/\/example\.com\/hook is paused/,
  );
  await sql`update tenants set is_demo = true`;
  assert.deepEqual(problems(await doctor(env)), []);
  await sql`update tenants set is_demo = false`;
  await sql`delete from event_webhooks`;
  await sql`
    insert into orders (tenant_id, id, body, created_ts, updated_ts, status_update_date, version)
    values (${tenantId}, 'o1', '{"order_num": "SO-1005", "version": 2, "updated_ts": 7}', 7, 7, 7, 2)`;
  const behind = onlyProblem(await doctor(env));
  assert.match(
    behind.message,
    /^The counter order\.order_num of tenant \S+ is 0, but SO-1005 is in use\.$/,
  );
  const [statement = ""] = /insert into .*;/.exec(behind.remedy ?? "") ?? [];
  await sql.unsafe(statement);
  assert.deepEqual(problems(await doctor(env)), []);
  await sql`update orders set version = 3`;
  const torn = onlyProblem(await doctor(env));
  assert.match(torn.message, /^1 rows of orders have a version or date/);
});

test("stored templates that can no longer be saved are listed, if the master key opens them", async (t) => {
  const { sql, env, tenantId } = await external(t);
  const sealer = createSealer({ all: [Buffer.from(MASTER_KEY, "base64")] });
  const secret = JSON.stringify({ headers: { "Content-Type": "text/csv" } });
  const value = { enabled: true, url: "https://example.com", body_template: "{{name}}" };
  await sql`
    insert into tenant_settings (tenant_id, name, value, sealed, updated_ts)
    values (${tenantId}, 'import_webhook', ${value},
            ${sealer.seal(tenantId, "setting import_webhook", secret)}, 0)`;
  const found = onlyProblem(await doctor(env));
  assert.deepEqual([found.check, found.status], ["templates", "warning"]);
  assert.equal(
    found.message,
    `The template in import_webhook of tenant ${tenantId} works, but can no longer be saved: no ` +
      "escaping is known for text/csv; use JSON, XML, HTML or a form, or set raw_template to insert values unescaped.",
  );
  const other = await doctor({ ...env, MASTER_KEY: Buffer.alloc(32, 4).toString("base64") });
  assert.deepEqual(
    other
      .filter(({ check }) => check === "master key" || check === "templates")
      .map(({ check, status }) => [check, status]),
    [
      ["master key", "error"],
      ["templates", "skipped"],
    ],
  );
  await sql`update tenant_settings set value = ${{ ...value, raw_template: true }}`;
  assert.deepEqual(problems(await doctor(env)), []);
});

test("clocks that differ are found", async (t) => {
  const { url } = await testDatabase(t);
  const sql = openSession(t, url);
  for (const [ahead_ms, status] of [
    [0, "ok"],
    [5_000, "warning"],
    [-60_000, "error"],
  ] as const) {
    const clock = { ...systemClock(), now_ms: () => systemClock().now_ms() + ahead_ms };
    const [found] = await checkClock(sql, clock);
    assert.equal(found?.status, status, JSON.stringify(found));
  }
});

test("settings that cannot be read and unknown options are reported", async (t) => {
  const found = onlyProblem(await doctor({ ...settings(t), PORT: "high" }));
  assert.equal(found.check, "settings");
  assert.match(found.message, /PORT must be a whole number/);
  const { code, out } = await printed(["doctor", "--help"], settings(t));
  assert.equal(code, 0);
  assert.match(out, /--json/);
});
