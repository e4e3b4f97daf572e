/**
 * Duplicate checks against a tenant's own system during lookups and pushes, and how that system's failures are
 * handled.
 */

import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { sharedApi } from "../../kit/file-api.ts";
import { ok, type Body } from "../../api/samples.ts";
import { startReceiver, status, type Respond } from "../../delivery/receiver.ts";
import { CHECK, half, json, LOOKUP, reset, setCheck, setWebhook, silent } from "./callout-kit.ts";
import { partnerOf, PUSH, refused, reviewed, somebody } from "../exchange-kit.ts";
import { eventually } from "../../kit/eventually.ts";
import { eraseAll, report } from "../../privacy/person-requests.ts";

const api = await sharedApi();
const NONE = { exists: false, name: null, active: false };
const ADA = { email: "Ada@Example.com", phone: "(555) 555-0100" };

/** Creates a tenant with a duplicate check, the receiver of the check's requests, and a partner. */
async function asking(t: TestContext, fields: Body = {}, partner: Body = {}) {
  const acme = await api.tenant();
  const receiver = await startReceiver(t);
  await setCheck(acme, { url: receiver.url, ...fields });
  return { acme, receiver, partner: await partnerOf(acme, partner) };
}

const pushedRows = async ({ tenantId }: { tenantId: string }): Promise<number> =>
  (await api.sql`select from pushed_leads where tenant_id = ${tenantId}`).count;

test("lookup asks the tenant's system, and nothing else", async (t) => {
  const { acme, receiver, partner } = await asking(t, { method: "PUT" });
  ok(await acme.post("/crm/leads", { name: "Ada Here", ...ADA }));
  receiver.respond = json({ exists: false });
  assert.deepEqual(ok(await partner.post(LOOKUP, ADA)).body, NONE);
  receiver.respond = json({ exists: true, name: "Ada There", active: "no" });
  const found = { exists: true, name: "Ada There", active: false };
  assert.deepEqual(ok(await partner.post(LOOKUP, { phone: "1" })).body, found);
  assert.deepEqual(
    receiver.received.map(({ body }) => JSON.parse(body) as unknown),
    [
      { name: null, ...ADA },
      { name: null, email: null, phone: "1" },
    ],
  );
});

test("a push sends the name, too; a known person is a possible duplicate, which needs a review", async (t) => {
  const { acme, receiver, partner } = await asking(t, {}, { auto_accept: true });
  const answers = [
    [json({ exists: false }), "accepted", false],
    [json({ exists: true }), "pending", true],
    [json({ exists: "0" }), "accepted", false],
    [json({ exists: ["x"] }), "pending", true],
  ] as const;
  for (const [respond, status, possible_duplicate] of answers) {
    receiver.respond = respond;
    const { id, ...told } = await partner.push();
    assert.deepEqual([told.status, "possible_duplicate" in told], [status, false]);
    assert.equal((await reviewed(acme, id))["possible_duplicate"], possible_duplicate);
    const asked = JSON.parse(receiver.received.at(-1)?.body ?? "") as Body;
    assert.deepEqual(asked, { name: told["name"], email: told["email"], phone: null });
  }
});

test("the tenant's system does not learn of an erased person who cannot be pushed again", async (t) => {
  const { acme, receiver, partner } = await asking(t);
  receiver.respond = json({ exists: false });
  const person = { name: "Ada Gone", email: "gone@example.org", phone: null };
  ok(await partner.post(PUSH, person));
  ok(await acme.put("/crm/admin/privacy", { block_erased: true }));
  ok(await eraseAll(acme, await report(acme, { email: person.email })));
  const asked = receiver.received.length;
  const answer = await partner.post(PUSH, person);
  assert.deepEqual([answer.status, answer.body.reason], [409, "erased"]);
  assert.equal(receiver.received.length, asked);
});

test("a person in the tenant's records does not count if its system does not know it", async (t) => {
  const { acme, receiver, partner } = await asking(t);
  ok(await acme.post("/crm/contacts", { name: "Ada", ...ADA }));
  receiver.respond = json({ exists: null });
  const { id } = await partner.push({ ...ADA });
  assert.equal((await reviewed(acme, id))["possible_duplicate"], false);
  // A pending lead that another partner pushed still makes the new lead a possible duplicate.
  const rival = await partnerOf(acme);
  const second = await rival.push({ ...ADA });
  assert.equal((await reviewed(acme, second.id))["possible_duplicate"], true);
});

/** For each case: the pointers in the settings, the system's response, and what the partner sees. */
const UNDERSTOOD: readonly (readonly [pointers: Body, answer: unknown, told: Body])[] = [
  [{}, { exists: true, name: "A", active: true }, { exists: true, name: "A", active: true }],
  [{}, { exists: 1, name: "", active: 1 }, { exists: true, name: null, active: true }],
  [{}, { exists: "yes", name: 7 }, { exists: true, name: null, active: false }],
  [{}, { exists: { id: 3 }, name: ["A"] }, { exists: true, name: null, active: false }],
  [{}, { exists: "No", name: "A", active: true }, NONE],
  [{}, { exists: 0 }, NONE],
  [{}, { exists: [] }, NONE],
  [{}, { exists: {} }, NONE],
  [{}, { found: true, name: "A" }, NONE],
  [{}, [], NONE],
  [{}, null, NONE],
  [{ exists_pointer: "" }, true, { exists: true, name: null, active: false }],
  [{ exists_pointer: "" }, [], NONE],
  [
    { exists_pointer: "/hits", name_pointer: "/hits/0/who/full~1name", active_pointer: "/m~0n" },
    { hits: [{ who: { "full/name": "A" } }, { who: null }], "m~n": "1" },
    { exists: true, name: "A", active: true },
  ],
  [
    { exists_pointer: "/data/total", name_pointer: "/data/items/1", active_pointer: "/nothing/0" },
    { data: { total: 2, items: ["A", "B"] } },
    { exists: true, name: "B", active: false },
  ],
  [{ exists_pointer: "/constructor" }, { name: "A" }, NONE],
];

test("pointers find their values in the response, and yes is understood in several spellings", async (t) => {
  const { acme, receiver, partner } = await asking(t);
  for (const [pointers, answer, told] of UNDERSTOOD) {
    await setCheck(acme, { url: receiver.url, ...pointers });
    receiver.respond = json(answer);
    assert.deepEqual(ok(await partner.post(LOOKUP, ADA)).body, told, JSON.stringify(answer));
  }
});

test("JSON is read with any 2xx status, any content type, and after a byte order mark", async (t) => {
  const { receiver, partner } = await asking(t);
  for (const respond of [
    status(201, { "content-type": "text/html" }, '{"exists":true}'),
    status(200, {}, '\uFEFF{"exists":true}'),
    status(203, {}, ' \n{"exists":true}\n'),
    status(200, {}, `{"exists":true,"x":"${"x".repeat(65_536 - 22)}"}`),
  ]) {
    receiver.respond = respond;
    assert.equal(ok(await partner.post(LOOKUP, ADA)).body.exists, true);
  }
});

test("a partner without the permission for names sees none", async (t) => {
  const { receiver, partner } = await asking(t, {}, { permissions: ["lookup"] });
  receiver.respond = json({ exists: true, name: "Ada There", active: true });
  const answer = ok(await partner.post(LOOKUP, ADA));
  assert.deepEqual(answer.body, { exists: true, name: null, active: true });
  assert.doesNotMatch(answer.text, /There/);
});

test("what a partner enters stays inside the request", async (t) => {
  const { receiver, partner } = await asking(t, {
    body_template: '{"filter": {"mail": "{{email}}", "tel": {{phone}}, "n": "{{name}}"}}',
    headers: { "X-Key": "key", Accept: "application/json" },
  });
  const name = 'x"}, "admin": true, "y": "{{email}}\\';
  const email = '"}}{{phone}}"@example.com';
  receiver.respond = json({});
  await partner.push({ name, email });
  const [got] = receiver.received;
  assert.deepEqual(JSON.parse(got?.body ?? ""), { filter: { mail: email, tel: null, n: name } });
  assert.deepEqual([got?.headers["x-key"], got?.headers.accept], ["key", "application/json"]);
});

/** The ways in which an endpoint can fail. */
const FAULTS: Readonly<Record<string, Respond>> = {
  "says nothing in time": silent,
  "returns 500": json({ exists: true }, 500),
  "returns 404": json({ exists: false }, 404),
  redirects: status(301, { location: "/elsewhere" }, '{"exists":true}'),
  "returns no JSON": status(200, {}, "<html>yes</html>"),
  "returns nothing": status(204),
  "returns one byte too much": status(200, {}, `{"exists":true,"x":"${"x".repeat(65_536 - 21)}"}`),
  "returns a body without an end": (response) => {
    response.writeHead(200);
    response.write('{"exists": true}');
  },
  drips: (response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write(" "), 100);
    response.on("close", () => clearInterval(timer));
  },
  "breaks off": half,
  resets: reset,
  "speaks no HTTP": (response) => void response.socket?.end("220 mail.example.com\r\n"),
  "returns broken headers": (response) =>
    void response.socket?.end("HTTP/1.1 200 OK\r\nno colon\r\n\r\n{}"),
  "returns two lengths": (response) =>
    void response.socket?.end(
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
    ),
  "returns headers without an end": (response) =>
    void response.socket?.end(`HTTP/1.1 200 OK\r\n${"x-a: b\r\n".repeat(20_000)}\r\n{}`),
};

for (const [what, respond] of Object.entries(FAULTS)) {
  test(`an endpoint that ${what}: 503 and nothing written, or the records here`, async (t) => {
    const { acme, receiver, partner } = await asking(t, { timeout_s: 1 }, { auto_accept: true });
    receiver.respond = respond;
    const body = somebody({ ...ADA });
    for (const call of [() => partner.post(LOOKUP, ADA), () => partner.post(PUSH, body)]) {
      const answer = await call();
      refused(answer, 503);
      assert.ok(Number(answer.headers.get("retry-after")) > 0);
    }
    assert.equal(await pushedRows(acme), 0);
    assert.deepEqual(
      ok(await acme.get("/crm/admin/audit", { subject_type: "pushed_lead" })).body,
      [],
    );
    await setCheck(acme, { url: receiver.url, timeout_s: 1, on_error: "own_records" });
    assert.deepEqual(ok(await partner.post(LOOKUP, ADA)).body, NONE);
    ok(await acme.post("/crm/contacts", { name: "Ada Here", ...ADA }));
    const here = { exists: true, name: "Ada Here", active: true };
    assert.deepEqual(ok(await partner.post(LOOKUP, ADA)).body, here);
    const { id, status } = ok(await partner.post(PUSH, body)).body;
    assert.equal(status, "pending");
    assert.equal((await reviewed(acme, id))["possible_duplicate"], true);
    assert.equal(await pushedRows(acme), 1);
  });
}

test("an endpoint that cannot be reached counts as failed", async (t) => {
  const { acme, partner } = await asking(t);
  for (const url of ["http://127.0.0.1:1/", "https://no-such-host.invalid/"]) {
    await setCheck(acme, { url });
    refused(await partner.post(LOOKUP, ADA), 503);
    await setCheck(acme, { url, on_error: "own_records" });
    assert.deepEqual(ok(await partner.post(LOOKUP, ADA)).body, NONE);
  }
});

test("slow endpoints delay no request that does not ask them", async (t) => {
  const { acme, receiver, partner } = await asking(t, { timeout_s: 30 });
  const ends = Promise.withResolvers<void>();
  receiver.respond = async (response, received) => {
    await ends.promise;
    await reset(response, received);
  };
  let isOver = false;
  const waiting = Promise.all(
    Array.from({ length: 30 }, () => partner.post(PUSH, somebody())),
  ).finally(() => (isOver = true));
  await eventually(() => receiver.received.length >= 30);
  ok(await acme.get("/crm/leads"));
  ok(await acme.post("/crm/leads", { name: "Ada" }));
  ok(await partner.get("/crm/partner/pushed"));
  assert.equal(isOver, false);
  ends.resolve();
  for (const answer of await waiting) refused(answer, 503);
  assert.equal(await pushedRows(acme), 0);
});

test("a disabled check asks no system: the records here decide", async (t) => {
  const { acme, receiver, partner } = await asking(t);
  receiver.respond = json({ exists: true, name: "Ada There", active: true });
  await setCheck(acme, { url: receiver.url, enabled: false });
  assert.deepEqual(ok(await partner.post(LOOKUP, ADA)).body, NONE);
  ok(await acme.post("/crm/leads", { name: "Ada Here", ...ADA }));
  const here = { exists: true, name: "Ada Here", active: true };
  assert.deepEqual(ok(await partner.post(LOOKUP, ADA)).body, here);
  const { id } = await partner.push({ ...ADA });
  assert.equal((await reviewed(acme, id))["possible_duplicate"], true);
  assert.deepEqual(receiver.received, []);
});

test("a tenant's check is asked only for its own partners, and is independent of its webhook", async (t) => {
  const { acme, receiver } = await asking(t);
  const rival = await api.tenant();
  await setWebhook(rival, { url: receiver.url });
  assert.deepEqual(ok(await (await partnerOf(rival)).post(LOOKUP, ADA)).body, NONE);
  assert.deepEqual(receiver.received, []);
  assert.equal(ok(await acme.get(CHECK)).body.enabled, true);
});
