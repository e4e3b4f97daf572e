/** Partners as their tenant configures them, and the operations allowed by each permission. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer, Client } from "../../kit/api.ts";
import { sharedApi } from "../../kit/file-api.ts";
import { filled, leastOf, operationsOf, readDocument } from "../../api/operations.ts";
import { ok, type Body } from "../../api/samples.ts";
import { JSON_BODY, makePartner, partnerOf, PARTNERS } from "../partner-kit.ts";

const api = await sharedApi();
const acme = await api.tenant();
const rival = await api.tenant();
const NOBODY = "6b00a22b870ca000ec6e9532";
const PERMISSIONS = ["lookup", "lookup_name", "read_leads", "read_contacts", "analytics"];

const read = async (id: string): Promise<Body> => ok(await acme.get(`${PARTNERS}/${id}`)).body;
const audit = async (id: string): Promise<Body[]> =>
  ok(await acme.get("/crm/admin/audit", { subject_id: id })).body;
const isoOf = (stamp: unknown): string =>
  `${new Date(Number(stamp) * 1000).toISOString().slice(0, 19)}Z`;

const DEFAULTS = {
  status: "active",
  auto_accept: false,
  can_push: true,
  allowed_marketing_sources: [],
  permissions: PERMISSIONS,
  commission_rate: 0,
  ip_allow_list: [],
  concurrency_limit: null,
  rate_limit: null,
};

const SETTINGS = {
  name: "Harbour Referrals",
  status: "suspended",
  auto_accept: true,
  can_push: false,
  allowed_marketing_sources: ["Referral", "Billboard Ad", "Google"],
  permissions: ["analytics", "lookup"],
  commission_rate: 7.5,
  ip_allow_list: ["192.0.2.0/24", "2001:db8::1"],
  concurrency_limit: 20,
  rate_limit: 500,
};

for (const [what, sent, expected] of [
  ["a name alone", { name: "N" }, { name: "N", ...DEFAULTS }],
  ["every setting", SETTINGS, SETTINGS],
  [
    "nulls, which are as good as nothing",
    { ...Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, null])), name: "N" },
    { name: "N", ...DEFAULTS },
  ],
] as const) {
  test(`a partner is created with ${what}`, async () => {
    const { access_code, ...told } = ok(await acme.post(PARTNERS, sent)).body;
    assert.match(access_code, /^[A-Za-z0-9]{40}$/);
    const { id, created_ts } = told;
    assert.match(id, /^[0-9a-f]{24}$/);
    assert.ok(Math.abs(created_ts - Date.now() / 1000) < 60);
    const stamps = { created_ts, updated_ts: created_ts };
    const dates = { created_date: isoOf(created_ts), updated_date: isoOf(created_ts) };
    assert.deepEqual(told, { id, partner_id: id, ...expected, ...stamps, ...dates });
    assert.deepEqual(await read(id), told);
  });
}

test("an access code is shown once", async () => {
  const { id, access_code } = await makePartner(acme);
  const path = `${PARTNERS}/${id}`;
  const reissued = ok(await acme.post(`${path}/access_code`)).body;
  assert.match(reissued.access_code, /^[A-Za-z0-9]{40}$/);
  const later = [
    await acme.get(path),
    await acme.get(PARTNERS),
    await acme.patch(path, { name: "Renamed" }),
    await acme.get("/crm/admin/audit", { subject_id: id }),
  ];
  for (const { status, text } of later) {
    assert.equal(status, 200);
    assert.ok(text.includes(id));
    assert.ok(!text.includes(access_code) && !text.includes(reissued.access_code));
  }
  for (const { body } of later.slice(0, 3)) {
    for (const told of [body].flat()) assert.ok(!("access_code" in told));
  }
});

const RANGE = "192.0.2.1";
/** Values rejected in both create and update requests, with the location and type of the error. */
const WRONG: readonly (readonly [body: object, place: string, type: string])[] = [
  [{ name: "" }, "name", "string_too_short"],
  [{ name: 5 }, "name", "string_type"],
  [{ name: "x".repeat(201) }, "name", "string_too_long"],
  [{ name: "x\0" }, "name", "string_unicode"],
  [{ status: "gone" }, "status", "enum"],
  [{ auto_accept: "yes" }, "auto_accept", "bool_type"],
  [{ can_push: 1 }, "can_push", "bool_type"],
  [{ allowed_marketing_sources: "Google" }, "allowed_marketing_sources", "list_type"],
  [{ allowed_marketing_sources: ["Google", "google"] }, "allowed_marketing_sources.1", "enum"],
  [{ allowed_marketing_sources: ["Google", "Google"] }, "allowed_marketing_sources", "value_error"],
  [{ permissions: ["push"] }, "permissions.0", "enum"],
  [{ permissions: ["lookup", "lookup"] }, "permissions", "value_error"],
  [{ permissions: [null] }, "permissions.0", "enum"],
  [{ commission_rate: "5" }, "commission_rate", "float_type"],
  [{ commission_rate: -0.1 }, "commission_rate", "greater_than_equal"],
  [{ commission_rate: 100.000001 }, "commission_rate", "less_than_equal"],
  [{ commission_rate: 1.1234567 }, "commission_rate", "decimal_max_places"],
  [{ commission_rate: 1e-7 }, "commission_rate", "decimal_max_places"],
  [{ ip_allow_list: [RANGE, "192.0.2.0/33"] }, "ip_allow_list.1", "value_error"],
  [{ ip_allow_list: [5] }, "ip_allow_list.0", "string_type"],
  [{ ip_allow_list: Array(101).fill(RANGE) }, "ip_allow_list", "too_long"],
  [{ generation: 5 }, "generation", "extra_forbidden"],
  [{ access_code: "of my own choice" }, "access_code", "extra_forbidden"],
];

function assertBlames({ status, body, text }: Answer, place: string, type: string): void {
  assert.equal(status, 422, text);
  const told = body.detail.map((issue: { loc: unknown[]; type: string }) =>
    [issue.loc.join("."), issue.type].join(" "),
  );
  assert.deepEqual(told, [`body.${place} ${type}`], text);
  assert.ok(!text.includes("of my own choice"));
}

test("errors in a partner are reported at their place, on creation and on change", async () => {
  const { id } = await makePartner(acme);
  const before = await read(id);
  for (const [body, place, type] of WRONG) {
    assertBlames(await acme.post(PARTNERS, { name: "N", ...body }), place, type);
    assertBlames(await acme.patch(`${PARTNERS}/${id}`, body), place, type);
  }
  assertBlames(await acme.post(PARTNERS, {}), "name", "missing");
  assertBlames(await acme.post(PARTNERS, { name: null }), "name", "string_type");
  const cleared = await acme.patch(`${PARTNERS}/${id}`, { name: null, can_push: false });
  assertBlames(cleared, "name", "string_type");
  assert.deepEqual(await read(id), before);
});

test("all errors are returned together", async () => {
  const refused = await acme.post(PARTNERS, { status: 1, commission_rate: 101, extra: true });
  assert.equal(refused.status, 422);
  assert.equal(refused.body.detail.length, 4);
});

test("a commission rate is exact, to six decimals", async () => {
  for (const commission_rate of [0, 100, 7.5, 0.1, 12.345678, 0.000001, 99.999999]) {
    const { id, ...made } = await makePartner(acme, { commission_rate });
    assert.equal(made.commission_rate, commission_rate);
    const [row] = await api.sql`select commission_rate from partners where id = ${id}`;
    assert.equal(Number(row?.["commission_rate"]), commission_rate);
    assert.equal((await read(id))["commission_rate"], commission_rate);
    assert.equal(ok(await acme.patch(`${PARTNERS}/${id}`, { commission_rate: 1 })).status, 200);
    const again = ok(await acme.patch(`${PARTNERS}/${id}`, { commission_rate }));
    assert.equal(again.body.commission_rate, commission_rate);
  }
});

/** Moves a partner's last change into the past, so that a new change is noticed. */
const age = (id: string) =>
  api.sql`update partners set updated_ts = created_ts - 100 where id = ${id}`;

for (const [name, value] of Object.entries(SETTINGS)) {
  test(`only ${name} is changed, with an entry of its old and new value`, async () => {
    const { access_code: _, ...made } = await makePartner(acme);
    await age(made.id);
    const changed = ok(await acme.patch(`${PARTNERS}/${made.id}`, { [name]: value })).body;
    assert.ok(changed.updated_ts >= made.created_ts);
    const { updated_ts } = changed;
    const stamps = { updated_ts, updated_date: isoOf(updated_ts) };
    assert.deepEqual(changed, { ...made, [name]: value, ...stamps });
    assert.deepEqual(await read(made.id), changed);
    const [entry, created, ...more] = await audit(made.id);
    assert.deepEqual(more, []);
    assert.deepEqual([created?.["action"], entry?.["action"]], ["created", "updated"]);
    assert.equal(entry?.["subject_type"], "partner");
    assert.deepEqual(entry?.["fields"], { [name]: { old: made[name], new: value } });
  });
}

test("a change to the current values writes nothing", async () => {
  const { id } = await makePartner(acme, SETTINGS);
  await age(id);
  const row = () => api.sql`select partners::text from partners where id = ${id}`;
  const before = await row();
  const answer = ok(await acme.patch(`${PARTNERS}/${id}`, { ...SETTINGS, status: null })).body;
  assert.deepEqual(answer, await read(id));
  assert.deepEqual(await row(), before);
  assert.equal((await audit(id)).length, 1);
});

test("an empty change returns 400, before anything else is checked", async () => {
  const { id } = await makePartner(acme);
  const nothing = [{}, { status: null }, { can_push: null, ip_allow_list: null }];
  for (const body of nothing) {
    for (const at of [id, NOBODY]) {
      const answer = await acme.patch(`${PARTNERS}/${at}`, body);
      assert.equal(answer.status, 400, JSON.stringify(body));
      assert.deepEqual(answer.body, { detail: "No fields provided for update" });
    }
  }
});

test("another code leaves an entry that does not contain it", async () => {
  const { id } = await makePartner(acme);
  const headers = { "x-request-id": "reissue-1" };
  const path = `${PARTNERS}/${id}/access_code`;
  const { access_code } = ok(await acme.request({ method: "POST", path, headers })).body;
  const [entry, ...more] = await audit(id);
  assert.equal(more.length, 1);
  assert.equal(entry?.["request_id"], "reissue-1");
  assert.notEqual(entry?.["action"], "updated");
  const [row] = await api.sql`select c::text from changes c where id = ${String(entry?.["id"])}`;
  assert.ok(!String(row?.["c"]).includes(access_code));
});

test("of two concurrent changes neither is lost", async () => {
  const { id } = await makePartner(acme);
  const path = `${PARTNERS}/${id}`;
  const changes = [{ name: "Both" }, { can_push: false }, { commission_rate: 5 }];
  await Promise.all(changes.map(async (change) => ok(await acme.patch(path, change))));
  const { name, can_push, commission_rate } = await read(id);
  assert.deepEqual([name, can_push, commission_rate], ["Both", false, 5]);
  assert.equal((await audit(id)).length, 4);
  const codes = await Promise.all([1, 2, 3].map(() => acme.post(`${path}/access_code`)));
  const [row] = await api.sql`select generation from partners where id = ${id}`;
  assert.deepEqual(
    [row?.["generation"], new Set(codes.map(({ body }) => body.access_code)).size],
    [4, 3],
  );
});

const idsOf = ({ body }: Answer): string[] => body.map(({ id }: Body) => id);

test("the list is newest first, filters by status, and can be paged", async () => {
  const client = await api.tenant();
  const made: string[] = [];
  for (let at = 0; at < 7; at++) {
    const status = at % 3 === 0 ? "suspended" : "active";
    made.unshift((await makePartner(client, { name: `P${at}`, status })).id);
  }
  const list = async (query: object) => ok(await client.get(PARTNERS, { ...query }));
  assert.deepEqual(idsOf(await list({})), made);
  assert.deepEqual(idsOf(await list({ page_size: 3, page_num: 2 })), made.slice(3, 6));
  const suspended = made.filter((_, at) => (6 - at) % 3 === 0);
  assert.deepEqual(idsOf(await list({ status: "suspended" })), suspended);
  const walked: string[] = [];
  for (let answer = await list({ status: "active", page_size: 3 }); ;) {
    walked.push(...idsOf(answer));
    const next = /<([^>]*)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1];
    if (next === undefined) break;
    answer = ok(await client.get(next));
  }
  assert.deepEqual(
    walked,
    made.filter((id) => !suspended.includes(id)),
  );
  for (const query of [{ status: "gone" }, { page_size: 501 }, { nonsense: 1 }, { cursor: "x" }]) {
    assert.equal((await client.get(PARTNERS, query)).status, 422, JSON.stringify(query));
  }
  assert.equal((await client.get(PARTNERS, { cursor: made[0], page_num: 2 })).status, 422);
});

test("another tenant's partners are not found", async () => {
  const { id } = await makePartner(acme);
  const before = await read(id);
  const bodies = [];
  for (const at of [id, NOBODY, "no-id-of-ours"]) {
    const path = `${PARTNERS}/${at}`;
    const answers = [
      await rival.get(path),
      await rival.patch(path, { name: "Mine" }),
      await rival.post(`${path}/access_code`),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [404, 404, 404],
    );
    bodies.push(answers.map(({ body }) => body));
  }
  assert.deepEqual(bodies[0], bodies[1]);
  assert.deepEqual(bodies[0], bodies[2]);
  assert.equal((await rival.get(`${PARTNERS}/${"x".repeat(101)}`)).status, 422);
  assert.ok(!(await rival.get(PARTNERS)).text.includes(id));
  assert.deepEqual(await read(id), before);
});

test("managing partners needs admin permission", async () => {
  const { id } = await makePartner(acme);
  const most = await acme.token(["records:write", "exchange:review", "ssn:read"]);
  const tried = (client: Client) =>
    Promise.all([
      client.get(PARTNERS),
      client.get(`${PARTNERS}/${id}`),
      client.post(PARTNERS, { name: "N" }),
      client.patch(`${PARTNERS}/${id}`, { name: "M" }),
      client.post(`${PARTNERS}/${id}/access_code`),
    ]);
  for (const { status, body } of await tried(most)) {
    assert.equal(status, 403);
    assert.match(body.detail, /\badmin\b/);
  }
  for (const answer of await tried(await acme.token(["admin"]))) ok(answer);
});

test("a partner reads its own current settings", async () => {
  const client = await api.tenant();
  const settings = { ...SETTINGS, status: "active", ip_allow_list: [] };
  const partner = await partnerOf(client, settings);
  const { ip_allow_list: _list, rate_limit: _rate, concurrency_limit: _most, ...own } = settings;
  const me = async () => ok(await partner.get("/crm/partner/me")).body;
  const { partner_id } = partner;
  const { name: tenant_name } = ok(await client.get("/crm/admin/tenant")).body;
  assert.deepEqual(await me(), { partner_id, ...own, tenant_name, currency: "USD" });
  ok(await client.patch(`${PARTNERS}/${partner_id}`, { commission_rate: 8 }));
  const business = { name: "Harbour Ltd", currency: "EUR" };
  ok(await client.patch("/crm/admin/tenant", business));
  assert.deepEqual(await me(), {
    partner_id,
    ...own,
    commission_rate: 8,
    tenant_name: business.name,
    currency: business.currency,
  });
});

/** The operations that each permission allows, written by hand. Operations marked `own` need no permission. */
const OPENS: readonly (readonly [settings: object, opened: readonly string[]])[] = [
  [{ permissions: [], can_push: false }, ["own"]],
  [{ permissions: [], can_push: true }, ["own", "can_push"]],
  ...PERMISSIONS.map(
    (permission) => [{ permissions: [permission], can_push: false }, ["own", permission]] as const,
  ),
];

const document = await readDocument(acme);
const operations = operationsOf(document, "PartnerToken");

test("every partner operation is described, and names a permission that exists", () => {
  assert.ok(operations.length >= 8);
  const known = new Set(["own", "can_push", ...PERMISSIONS]);
  const unknown = operations.filter(({ permission }) => !known.has(permission));
  assert.deepEqual(unknown, []);
});

for (const [settings, opened] of OPENS) {
  test(`a partner with ${JSON.stringify(settings)} reaches ${opened.join(" and ")}`, async () => {
    const partner = await partnerOf(acme, settings);
    for (const { method, path, permission, body } of operations) {
      const answer = await partner.request({
        method,
        path: filled(path, () => NOBODY),
        ...(body !== undefined && {
          headers: JSON_BODY,
          body: JSON.stringify(leastOf(document, body.schema)),
        }),
      });
      const what = `${method} ${path}: ${answer.status} ${answer.text.slice(0, 200)}`;
      assert.equal(answer.status === 403, !opened.includes(permission), what);
      assert.ok(answer.status < 500 && answer.status !== 401, what);
      if (answer.status === 403) {
        assert.match(answer.body.detail, RegExp(permission));
      }
    }
  });
}

test("a permission that is removed ends at once for issued tokens", async () => {
  const partner = await partnerOf(acme);
  const path = "/crm/partner/analytics";
  assert.equal((await partner.get(path)).status, 200);
  ok(await acme.patch(`${PARTNERS}/${partner.partner_id}`, { permissions: ["lookup"] }));
  assert.equal((await partner.get(path)).status, 403);
});
