/** The limit on concurrent requests per credential. */

import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
// Import this module first, so that the API is closed before the kit stops its database.
import { fileApi } from "../../kit/file-api.ts";
import { eventually } from "../../kit/eventually.ts";
import { startOwnApp } from "../own-app.ts";
import { ok } from "../samples.ts";
import { file } from "../../kit/started.ts";

const LIMIT = 3;
const TOKENS = "/crm/admin/access_tokens";

const api = await fileApi();
const owner = await api.tenant();
const app = await startOwnApp(file, { url: api.databaseUrl, concurrencyLimit: LIMIT });
/** How many requests the app has received. The metrics do not show this in time, because their page is cached. */
let received = 0;
app.app.server.on("request", () => (received += 1));

async function makeToken(fields: object = {}) {
  const made = { name: "Limited", permissions: ["records:write", "records:read"], ...fields };
  const { id, token } = ok(await owner.post(TOKENS, made)).body;
  return { id: id as string, bearer: token as string };
}

interface Held {
  readonly end: () => Promise<number>;
}

/**
 * Starts requests whose bodies stay incomplete until `end` is called, and waits until the service has received them.
 */
async function holdAll(bearer: string, count: number): Promise<Held[]> {
  // Make the app cache the token, so that each request is counted when it arrives.
  assert.equal(await statusOf(bearer), 200);
  const before = received;
  const held = Array.from({ length: count }, () => hold(bearer));
  await eventually(() => received === before + count);
  return held;
}

function hold(bearer: string): Held {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const sent = request(`${app.url}/crm/leads`, {
    method: "POST",
    agent: false,
    headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
  });
  sent.on("response", (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  });
  sent.on("error", reject);
  sent.write('{"name":');
  return {
    end: () => {
      sent.end('"Held"}');
      return promise;
    },
  };
}

const list = (bearer: string, path = "/crm/leads?page_size=1") =>
  fetch(app.url + path, { headers: { authorization: `Bearer ${bearer}` } });
const statusOf = async (bearer: string): Promise<number> => {
  const answer = await list(bearer);
  await answer.text();
  return answer.status;
};

test("a request beyond the limit returns 429 with Retry-After until another one has ended", async () => {
  const { bearer } = await makeToken();
  const other = await makeToken();
  const held = await holdAll(bearer, LIMIT);
  const refused = await list(bearer);
  assert.equal(refused.headers.get("retry-after"), "1");
  assert.deepEqual(await refused.json(), {
    detail: "This credential has too many requests in progress; try again",
  });
  assert.equal(await statusOf(other.bearer), 200);
  const [first, ...rest] = held;
  assert.equal(await first?.end(), 200);
  await eventually(
    () => statusOf(bearer),
    (status) => status === 200,
  );
  for (const one of rest) assert.equal(await one.end(), 200);
});

test("a token's own limit replaces that of the installation, and 0 means none", async () => {
  const { id, bearer } = await makeToken({ concurrency_limit: 1 });
  const held = await holdAll(bearer, 1);
  assert.equal(await statusOf(bearer), 429);
  const patched = ok(await owner.patch(`${TOKENS}/${id}`, { concurrency_limit: 0 })).body;
  assert.equal(patched.concurrency_limit, 0);
  await eventually(
    () => statusOf(bearer),
    (status) => status === 200,
  );
  held.push(...(await holdAll(bearer, LIMIT + 2)));
  for (const one of held) assert.equal(await one.end(), 200);
});

test("the limit is audited, can be set for partners, and is validated", async () => {
  const made = { name: "Referrals Ltd", concurrency_limit: 7 };
  const { partner_id, concurrency_limit } = ok(await owner.post("/crm/admin/partners", made)).body;
  assert.equal(concurrency_limit, 7);
  const path = `/crm/admin/partners/${partner_id}`;
  const changed = ok(await owner.patch(path, { concurrency_limit: null })).body;
  assert.equal(changed.concurrency_limit, null);
  const wrong = await owner.patch(path, { concurrency_limit: -1 });
  assert.equal(wrong.status, 422);
  const { text } = await owner.get("/crm/admin/audit", { subject_id: partner_id });
  assert.match(text, /concurrency_limit/);
});

test("streams and requests whose connection is closed do not count", async () => {
  const { bearer } = await makeToken({ concurrency_limit: 1 });
  const leaving = new AbortController();
  const stream = await fetch(`${app.url}/crm/changes/stream`, {
    headers: { authorization: `Bearer ${bearer}` },
    signal: leaving.signal,
  });
  assert.equal(stream.status, 200);
  assert.equal(await statusOf(bearer), 200);
  leaving.abort();
  const before = received;
  const gone = request(`${app.url}/crm/leads`, {
    method: "POST",
    agent: false,
    headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
  });
  gone.on("error", () => undefined);
  gone.write("{");
  await eventually(() => received > before);
  assert.equal(await statusOf(bearer), 429);
  gone.destroy();
  await eventually(
    () => statusOf(bearer),
    (status) => status === 200,
  );
});
