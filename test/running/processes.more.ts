/** Several processes on one port: they behave as one service, even while one is killed. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { test } from "node:test";
import { installed, isAlive, kill, serverPid, startLeadport, tokenOf } from "./leadport.ts";
import { authorized, logOf, measured, metricsAt, openBoth, openLine } from "./lines.ts";
import type { Line, Told } from "./lines.ts";
import { eventually } from "../kit/eventually.ts";
import { openSocket } from "../kit/started.ts";

/** The minute of the service's clock, which is the window of the rate limits. */
const minute = (): number => Math.floor(Date.now() / 60_000);

const readsOf = (route: string): string =>
  `leadport_http_request_duration_seconds_count{method="GET",route="${route}",status="200"}`;

/** Waits until the log contains everything that a process has logged so far. */
async function untilLogged(line: Line, log: () => string): Promise<void> {
  const id = randomBytes(8).toString("hex");
  await line.ask("GET", "/healthz", { headers: { "x-request-id": id } });
  await eventually(log, (text) => text.includes(id));
}

/** Adds a lead, with its name as the Idempotency-Key. Each attempt goes to a different process, until one responds. */
async function addPatiently(base: string, token: string, name: string): Promise<void> {
  await eventually(async () => {
    const response = await fetch(`${base}/crm/leads`, {
      method: "POST",
      headers: {
        ...authorized(token),
        "content-type": "application/json",
        connection: "close",
        "idempotency-key": name,
      },
      body: JSON.stringify({ name }),
    }).catch(() => undefined);
    if (response?.status === 200) return true;
    // The connection was lost, or the first request is still being processed.
    assert.ok(response === undefined || response.status === 409, await response?.text());
    return false;
  });
}

test("two processes respond as one", async (t) => {
  // The launcher is the parent of the first process only. The first process starts the second one.
  const env = {
    ...(await installed(t)),
    PROCESSES: "2",
    LOG_LEVEL: "info",
    LEADPORT_LAUNCHER: String(process.pid),
  };
  const service = await startLeadport(t, { env });
  const log = logOf(service);
  const token = tokenOf(env.DATA_DIR);
  const [one, other] = await openBoth(t, service.base, log);
  const makeToken = async (more: object = {}): Promise<{ id: string; token: string }> => {
    const body = { name: "Poller", permissions: ["records:write"], ...more };
    const made = await one.ask("POST", "/crm/admin/access_tokens", { token, body });
    assert.equal(made.status, 200, made.text);
    return made.body;
  };

  await t.test("connections are distributed in turn, and not to the first process", async () => {
    assert.match(service.out(), /Processes +2 serve\n/);
    const pids = new Set([one.pid, other.pid]);
    assert.ok(!pids.has(service.pid));
    for (let n = 0; n < 4; n += 1) {
      const line = await openLine(t, service.base, log);
      assert.ok(pids.has(line.pid));
      await eventually(
        () => line.ask("GET", "/readyz"),
        ({ status }) => status === 200,
      );
    }
  });

  await t.test("a revoked token ends in the other process, too", async () => {
    const made = await makeToken();
    const read = (line: Line) => line.ask("GET", "/crm/leads", { token: made.token });
    for (const line of [one, other]) assert.equal((await read(line)).status, 200);
    await one.ask("DELETE", `/crm/admin/access_tokens/${made.id}`, { token });
    assert.equal((await read(one)).status, 401);
    await eventually(
      () => read(other),
      ({ status }) => status === 401,
    );
  });

  await t.test("a rate limit is one limit", async () => {
    for (;;) {
      const { token } = await makeToken({ rate_limit: 20 });
      const answers: Told[] = [];
      const send = async (line: Line): Promise<void> => {
        for (let n = 0; n < 20; n += 1) {
          answers.push(await line.ask("GET", "/crm/leads", { token }));
        }
      };
      const start = minute();
      await Promise.all([one, other].map(send));
      // A new window has started in the meantime.
      if (minute() !== start) continue;
      const admitted = answers.filter(({ status }) => status === 200).length;
      // A process that waits for the database for more than a second logs it and counts on its own
      // (docs/rate-limits.md).
      for (const line of [one, other]) await untilLogged(line, log);
      if (admitted > 22 && log().includes("each process counts separately")) continue;
      assert.ok(admitted >= 20 && admitted <= 22, `${admitted} of 20`);
      assert.ok(answers.every(({ status }) => status === 200 || status === 429));
      return;
    }
  });

  await t.test("a partner's token works in the other process", async () => {
    const body = { name: "Referrals Ltd" };
    const partner = await one.ask("POST", "/crm/admin/partners", { token, body });
    const { partner_id, access_code } = partner.body;
    const asked = { body: { partner_id, access_code } };
    const given = await one.ask("POST", "/crm/partner/token", asked);
    const own = { token: given.body.access_token as string };
    assert.equal((await other.ask("GET", "/crm/partner/webhooks", own)).status, 200);
  });

  await t.test("a stream reports what the other process wrote", async () => {
    const stream = await openLine(t, service.base, log);
    const { body } = await stream.connection.request({
      method: "GET",
      path: "/crm/changes/stream",
      headers: authorized(token),
    });
    let text = "";
    body.on("data", (chunk) => (text += String(chunk))).on("error", () => {});
    await eventually(() => text.startsWith("retry:"));
    const writer = stream.pid === one.pid ? other : one;
    const { _id } = (await writer.ask("POST", "/crm/leads", { token, body: { name: "Far" } })).body;
    await eventually(() => text.includes(_id));
    await stream.connection.destroy();
  });

  await t.test("a response is repeated by the other process", async () => {
    const asked = { token, body: { name: "Once" }, headers: { "idempotency-key": "once" } };
    const first = await one.ask("POST", "/crm/leads", asked);
    const again = await other.ask("POST", "/crm/leads", asked);
    assert.equal(again.headers["idempotency-replayed"], "true");
    assert.deepEqual([again.status, again.text], [200, first.text]);
  });

  await t.test("a killed process loses no write, and stays counted", async () => {
    for (const line of [one, other]) await line.ask("GET", "/crm/accounts", { token });
    const reads = readsOf("/crm/accounts");
    const laterReads = readsOf("/crm/deals");
    await eventually(async () => measured(await metricsAt(other), reads) === 2);
    await eventually(async () => {
      return measured(await metricsAt(other), "leadport_serving_processes") === 2;
    });
    const write = async (writer: number): Promise<void> => {
      for (let n = 0; n < 15; n += 1) {
        await addPatiently(service.base, token, `Lead-${writer}.${n}`);
        if (n === 5 && writer === 1) kill(one.pid, "SIGKILL");
      }
    };
    await Promise.all([1, 2, 3, 4].map(write));
    const listed = await other.ask("GET", "/crm/leads?page_size=500", { token });
    const names = (listed.body.leads as { name: string }[])
      .map(({ name }) => name)
      .filter((name) => name.startsWith("Lead-"));
    assert.deepEqual([names.length, new Set(names).size], [60, 60]);
    await eventually(log, (text) =>
      text.includes(`Serving process ${one.pid} has ended (SIGKILL)`),
    );
    // The metrics are cached for a second. Only a page that counts this request shows the time after the end.
    assert.equal((await other.ask("GET", "/crm/deals", { token })).status, 200);
    await eventually(async () => {
      const text = await metricsAt(other);
      assert.equal(measured(text, reads), 2, "what a killed process counted stays");
      return measured(text, laterReads) === 1 && measured(text, "leadport_serving_processes") === 2;
    });
    const [, third] = await openBoth(t, service.base, log);
    assert.notEqual(third.pid, one.pid);
    assert.ok(isAlive(other.pid), "it is not taken for one whose parent is gone");
  });

  await t.test(
    "after SIGTERM the requests in flight get responses, and nothing is left behind",
    async () => {
      const [left, right] = await openBoth(t, service.base, log);
      const socket = openSocket(t, new URL(service.base).port);
      const body = JSON.stringify({ name: "In flight" });
      const head = `host: x\r\nauthorization: Bearer ${token}\r\ncontent-length: ${body.length}`;
      socket.write(
        `POST /crm/leads HTTP/1.1\r\ncontent-type: application/json\r\n${head}\r\n\r\n{`,
      );
      let answer = "";
      socket.on("data", (chunk) => (answer += String(chunk)));
      const closed = once(socket, "close");
      const inFlight = "leadport_http_requests_in_flight";
      await eventually(async () => measured(await metricsAt(other), inFlight) === 2);
      const database = serverPid(env.DATA_DIR) ?? 0;
      kill(service.pid, "SIGTERM");
      await eventually(() => log().includes("Stopping: SIGTERM"));
      socket.write(body.slice(1));
      await closed;
      assert.equal((await service.ended).code, 0);
      assert.match(answer, /^HTTP\/1\.1 200 /);
      assert.deepEqual([left.pid, right.pid, database].map(isAlive), [false, false, false]);
    },
  );
});

test("under npm, SIGINT to the whole group leaves nothing behind", async (t) => {
  const env = { ...(await installed(t)), HOME: process.env["HOME"] ?? "/", LOG_LEVEL: "info" };
  const through = ["npm", "start", "--silent", "--", "--processes", "2"];
  const service = await startLeadport(t, { env, through });
  const lines = await openBoth(t, service.base, logOf(service));
  const all = [...lines.map(({ pid }) => pid), serverPid(env.DATA_DIR) ?? 0];
  kill(-service.pid, "SIGINT");
  await eventually(() => !all.some(isAlive));
  assert.doesNotMatch((await service.ended).err, /starting another one/);
});
