/**
 * A database that does not respond: PostgreSQL is stopped with SIGSTOP, or cannot be reached. Callers receive 503 in
 * bounded time, the service recovers, and a request whose caller has disconnected does not overwrite the data of a
 * newer request. STOP_S is how long PostgreSQL is stopped.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openGate } from "../chaos/gate.ts";
import { eventually } from "../kit/eventually.ts";
import { isLong } from "../kit/long.ts";
import { randomFrom } from "../kit/random.ts";
import { kill } from "../running/leadport.ts";
import { childrenOf, isStopped } from "./processes.ts";
import { note } from "./report.ts";
import { slownessOf } from "./slowness.ts";
import { sharedDatabase, startService } from "./service.ts";
import { atEnd } from "../kit/started.ts";

const STOP_s = Number(process.env["STOP_S"] ?? (isLong ? "30" : "12"));
/** These limits are extended on a slow machine. */
const READY_MAX_ms = 1000;
const RESPONSE_MAX_ms = 10_000;
const RECOVERY_MAX_ms = 10_000;
const GIVE_UP_ms = 300_000;

interface Response {
  readonly asked: string;
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: { readonly detail?: unknown; readonly [name: string]: unknown };
  readonly took_ms: number;
}

type Ask = (method: string, path: string, body?: object) => Promise<Response>;

/** Returns a function that sends requests with a token and reads JSON. */
const askerOf =
  (url: string, token: string): Ask =>
  async (method, path, body) => {
    const started = performance.now();
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(GIVE_UP_ms),
    });
    const retryAfter = response.headers.get("retry-after");
    const text = (await response.json()) as Response["body"];
    const asked = `${method} ${path.replace(/[0-9a-f]{24}/, "{id}")}`;
    return {
      asked,
      status: response.status,
      retryAfter,
      body: text,
      took_ms: performance.now() - started,
    };
  };

/** Whether a response is a success, or a 503 that states when to retry. */
const isProper = ({ status, retryAfter, body }: Response): boolean =>
  status === 200 || (status === 503 && retryAfter !== null && typeof body.detail === "string");

test(`PostgreSQL stopped for ${STOP_s} s: /readyz and requests return 503, then everything continues`, async (t) => {
  const service = await startService(t, { RATE_LIMIT: "off", LOG_LEVEL: "error" });
  const ask = askerOf(service.url, service.token);
  const created = await ask("POST", "/crm/leads", { name: "Before" });
  assert.equal(created.status, 200);
  const path = `/crm/leads/${String(created.body["_id"])}`;
  // Sessions are opened before the stop, so that statements are in flight when the server is stopped.
  await Promise.all(Array.from({ length: 8 }, () => ask("GET", path)));
  const slowness = await slownessOf(service);
  const pid = service.pid();
  const server = service.postmaster();
  assert.ok(server !== undefined, "PostgreSQL runs before the stop");
  const stopped = [server];
  // Runs even if the test fails, because a stopped server would not exit with the test.
  atEnd(t, () => stopped.forEach((one) => kill(one, "SIGCONT")));
  // Until it has stopped, the postmaster can start a process that would stay unnoticed and continue.
  kill(server, "SIGSTOP");
  await eventually(() => isStopped(server));
  stopped.push(...childrenOf(server));
  for (const one of stopped) kill(one, "SIGSTOP");
  const started = performance.now();
  const ready: Response[] = [];
  const asked = [
    ...Array.from({ length: 4 }, () => ask("GET", "/crm/leads?page_size=50")),
    ...Array.from({ length: 4 }, () => ask("GET", path)),
    ...Array.from({ length: 4 }, (_, n) => ask("POST", "/crm/leads", { name: `During ${n}` })),
    ...Array.from({ length: 4 }, (_, n) => ask("PATCH", path, { comments: `During ${n}` })),
  ];
  const checks: Promise<unknown>[] = [];
  while (performance.now() < started + STOP_s * 1000) {
    checks.push(ask("GET", "/readyz").then((response) => ready.push(response)));
    await sleep(500);
  }
  // Checks that are still in flight may find PostgreSQL running again.
  const during = [...ready];
  for (const one of stopped) kill(one, "SIGCONT");
  const continued = performance.now();
  const after = await eventually(
    () => ask("POST", "/crm/leads", { name: "After" }),
    ({ status }) => status === 200,
    GIVE_UP_ms,
  );
  assert.equal(after.status, 200);
  const recovery_ms = performance.now() - continued;
  const responses = await Promise.all(asked);
  await Promise.all(checks);
  const slowest = (all: readonly Response[]) => Math.max(...all.map(({ took_ms }) => took_ms));
  const improper = responses.filter((response) => !isProper(response));
  const late = responses.filter(({ took_ms }) => took_ms >= RESPONSE_MAX_ms * slowness);
  const missed = [
    ...(slowest(ready) < READY_MAX_ms * slowness ? [] : ["/readyz took too long."]),
    ...(during.length > 0 && during.every(({ status }) => status === 503)
      ? []
      : ["/readyz did not report the outage."]),
    ...late.map(({ asked, status }) => `${asked} returned ${status} too late.`),
    ...improper.map(({ asked, status }) => `${asked} returned ${status}.`),
    ...(recovery_ms < RECOVERY_MAX_ms * slowness ? [] : ["The recovery took too long."]),
    ...(service.isAlive() && service.pid() === pid ? [] : ["The process ended."]),
  ];
  const row = {
    scenario: `PostgreSQL stopped (SIGSTOP) for ${STOP_s} s`,
    slowness,
    requests: responses.length + ready.length,
    "slowest /readyz, ms": slowest(ready),
    "slowest response, ms": slowest(responses),
    "503 responses": responses.filter(({ status }) => status === 503).length,
    "recovered after, ms": recovery_ms,
    "process exits": service.isAlive() ? 0 : 1,
  };
  note(t, "A database that does not respond", row, missed);
});

const isSuccess = ({ status }: Response): boolean => status === 200;

const ABANDONED = 120;
/** How long callers wait before they give up. */
const PATIENCE_ms = 1000;
/** Longer than the service caches a token. */
const TOKEN_AGE_ms = 1500;
/** By then, everything that was queued has run. */
const LATER_ms = 25_000;

const pathOf = (n: number) => `/crm/contacts/by/external_id/abandoned-${n}`;

test(`${ABANDONED} abandoned writes of an outage overwrite nothing newer`, async (t) => {
  const database = await sharedDatabase(t);
  const address = new URL(database.url);
  const own = [Number(address.port)];
  let isAway = false;
  const ports = () => (isAway ? [] : own);
  const gate = await openGate(t, { ports, lostShare: 0, random: randomFrom(1) });
  address.port = String(gate.port);
  // Two processes on one database. Only the first one loses it.
  const { token } = database;
  const { url: cutOff } = await database.serve(address.href);
  const { url: other } = await database.serve(database.url);
  const ask = askerOf(cutOff, token);
  const askOther = askerOf(other, token);
  const all = Array.from({ length: ABANDONED }, (_, n) => n);
  const ids = await Promise.all(
    all.map(async (n) => {
      const put = () => ask("PUT", pathOf(n), { name: `Contact ${n}` });
      const { body } = await eventually(put, isSuccess, GIVE_UP_ms);
      return String(body["_id"]);
    }),
  );

  // Refresh the cached token, so that the writes themselves wait for a connection, not the token
  // check.
  await sleep(TOKEN_AGE_ms);
  assert.equal((await ask("GET", "/crm/contacts?page_size=1")).status, 200);
  isAway = true;
  gate.cut(1);
  const abandoned = all.map((n) => {
    const [method, path] = n % 2 === 0 ? ["PUT", pathOf(n)] : ["PATCH", `/crm/contacts/${ids[n]}`];
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = JSON.stringify({ ...(n % 2 === 0 && { name: `Contact ${n}` }), comments: "old" });
    const signal = AbortSignal.timeout(PATIENCE_ms);
    return fetch(cutOff + path, { method, headers, body, signal }).then(
      ({ status }) => status,
      () => undefined,
    );
  });
  const outcomes = await Promise.all(abandoned);
  await Promise.all(
    all.map(async (n) => {
      const body = { name: `Contact ${n}`, comments: "new" };
      await eventually(() => askOther("PUT", pathOf(n), body), isSuccess, GIVE_UP_ms);
    }),
  );
  isAway = false;
  await eventually(
    () => ask("GET", "/crm/contacts?page_size=1"),
    ({ status }) => status === 200,
    GIVE_UP_ms,
  );
  // Nothing signals that the abandoned writes will not run, so the test waits long enough.
  await sleep(LATER_ms);
  const comments = await Promise.all(
    ids.map(async (id) => {
      const get = () => askOther("GET", `/crm/contacts/${id}`);
      return (await eventually(get, isSuccess, GIVE_UP_ms)).body["comments"];
    }),
  );
  const overwritten = comments.filter((one) => one !== "new").length;
  const row = {
    scenario: "Abandoned PUT and PATCH during an outage",
    requests: ABANDONED,
    "timed out after 1 s": outcomes.filter((status) => status === undefined).length,
    "503 responses": outcomes.filter((status) => status === 503).length,
    overwritten,
  };
  const missed = overwritten === 0 ? [] : [`${overwritten} newer writes were overwritten.`];
  note(t, "Writes whose caller has left", row, missed);
});
