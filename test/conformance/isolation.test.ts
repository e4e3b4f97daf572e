/**
 * Another tenant's token can neither find nor change anything, with any operation on any record
 * type: docs/administration.md#tenants-are-separate.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ALL_TYPES, LISTS, NOBODY, lead, task, type TypeCase } from "./cases.ts";
import { assertBlames, create, idsOf, read, smallest } from "./checks.ts";
import { sharedApi } from "../kit/file-api.ts";

const api = await sharedApi();
const acme = await api.tenant();
const rival = await api.tenant();

interface Attempt {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Returns every operation on a single record, as another tenant would send it. */
function attempts(type: TypeCase, id: string): Attempt[] {
  const patch = (body: object) => ({
    method: "PATCH",
    path: `${type.write}/${id}`,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const get = (rest: string) => ({ method: "GET", path: `${type.list}/${id}${rest}` });
  const reveal = type.returns.includes("ssn") ? [get("?reveal=ssn")] : [];
  const deal = type.name === "deal" ? [{ method: "GET", path: `/crm/opportunities/${id}` }] : [];
  const gone = type === task ? [{ method: "DELETE", path: `/crm/tasks/${id}` }] : [];
  const convert = { ...patch({}), method: "POST", path: `/crm/leads/${id}/convert` };
  return [
    get(""),
    get("/history"),
    patch(type.change[0]),
    patch({ status: "zzz" }),
    ...reveal,
    ...deal,
    ...gone,
    ...(type === lead ? [convert] : []),
  ];
}

/** Replaces the id in a response, so that responses for different ids can be compared. */
const bare = (text: string, id: string) => text.replaceAll(id, "ID");

for (const type of ALL_TYPES) {
  test(`another tenant's ${type.name} looks like one that does not exist`, async () => {
    const made = await create(acme, type);
    const theirs = attempts(type, made["_id"]);
    const missing = attempts(type, NOBODY);
    for (const [at, request] of theirs.entries()) {
      const got = await rival.request(request);
      const expected = await rival.request(missing[at]!);
      const status = request.body?.includes("zzz") ? 422 : 404;
      assert.equal(got.status, status, `${request.method} ${request.path}: ${got.text}`);
      assert.equal(expected.status, status);
      assert.equal(bare(got.text, made["_id"]), bare(expected.text, NOBODY));
    }
    assert.deepEqual(await read(acme, type, made["_id"]), made);
  });
}

test("every list of another tenant is empty, with any filter, sort or total", async () => {
  for (const type of ALL_TYPES) await create(acme, type);
  for (const { type, path } of LISTS) {
    const { _id } = await create(acme, type);
    const queries = [
      {},
      { start_date: "2020-01-01" },
      { sort_dict: { _id: 1 } },
      { match_filter_dict: { _id }, eval_object_id: true },
      { match_filter_dict: { $or: [{ _id }, { _id: { $ne: _id } }] }, eval_object_id: true },
    ];
    for (const query of queries) assert.deepEqual(idsOf(await rival.get(path, query)), [], path);
    const counted = {
      method: "GET",
      path: `${path}?page_size=5`,
      headers: { prefer: "count=exact" },
    };
    assert.equal((await rival.request(counted)).headers.get("x-total-count"), "0");
  }
});

test("a cursor of one tenant returns nothing to another", async () => {
  await create(acme, lead);
  await create(acme, lead);
  const first = await acme.get("/crm/leads", { page_size: 1 });
  const link = /cursor=([^>&]+)/.exec(first.headers.get("link") ?? "")?.[1];
  assert.ok(link);
  const reply = await rival.get("/crm/leads", { page_size: 1, cursor: decodeURIComponent(link) });
  if (reply.status === 200) assert.deepEqual(idsOf(reply), []);
  else assertBlames(reply, "query", "cursor");
});

test("a reference to another tenant's record is rejected like one to a missing record", async () => {
  const fields = { account_id: "account", contact_id: "contact", opportunity_id: "deal" };
  const body = await smallest(rival, ALL_TYPES[5]);
  for (const [field, name] of Object.entries(fields)) {
    const type = ALL_TYPES.find((candidate) => candidate.name === name)!;
    const theirs = (await create(acme, type))["_id"] as string;
    const answers = [];
    for (const id of [theirs, NOBODY]) {
      const reply = await rival.post("/crm/orders", { ...body, [field]: id });
      assertBlames(reply, "body", field);
      answers.push(bare(reply.text, id));
    }
    assert.equal(answers[0], answers[1]);
  }
});

test("the administration of one tenant shows nothing of another", async () => {
  const made = await create(acme, lead, { name: "Only at Acme" });
  const audit = await rival.get("/crm/admin/audit");
  assert.ok(!audit.text.includes(made["_id"]) && !audit.text.includes("Only at Acme"));
  const tokens = await acme.get("/crm/admin/access_tokens");
  const [{ id }] = tokens.body as [{ id: string }];
  assert.ok(!(await rival.get("/crm/admin/access_tokens")).text.includes(id));
  assert.equal((await rival.delete(`/crm/admin/access_tokens/${id}`)).status, 404);
  assert.equal((await acme.get("/crm/leads")).status, 200);
});

/** Returns a client with the token of a partner that may see leads and contacts from one source. */
async function partnerOf(client: typeof acme) {
  const settings = { name: "Referrals Ltd", allowed_marketing_sources: ["Google"] };
  const { body } = await client.post("/crm/admin/partners", settings);
  const { partner_id, access_code } = body;
  const issued = await client.post("/crm/partner/token", { partner_id, access_code });
  const headers = { authorization: `Partner ${issued.body.access_token}` };
  const json = { ...headers, "content-type": "application/json" };
  return {
    get: (path: string) => client.request({ method: "GET", path, headers }),
    post: (path: string, sent: object) =>
      client.request({ method: "POST", path, headers: json, body: JSON.stringify(sent) }),
  };
}

test("a partner of one tenant finds no person of another tenant", async () => {
  const ours = await api.tenant();
  const theirs = await api.tenant();
  const own = await partnerOf(ours);
  const stranger = await partnerOf(theirs);
  const ada = { name: "Ada", email: "ada@example.com" };
  await create(ours, lead, { ...ada, source: "Google" });
  for (const [partner, exists] of [
    [own, true],
    [stranger, false],
  ] as const) {
    const found = await partner.post("/crm/partner/lookup", { email: ada.email });
    assert.deepEqual([found.status, found.body.exists], [200, exists]);
    assert.equal(idsOf(await partner.get("/crm/partner/leads")).length, exists ? 1 : 0);
    const pushed = await partner.post("/crm/partner/push", ada);
    assert.equal(pushed.status, 200, pushed.text);
    const client = exists ? ours : theirs;
    const reviewed = await client.get(`/crm/admin/pushed_leads/${pushed.body.id}`);
    assert.equal(reviewed.body.possible_duplicate, exists);
    const other = exists ? stranger : own;
    assert.equal((await other.get(`/crm/partner/pushed/${pushed.body.id}`)).status, 404);
  }
  const listed = await stranger.get("/crm/partner/pushed");
  assert.equal(listed.body.length, 1);
});
