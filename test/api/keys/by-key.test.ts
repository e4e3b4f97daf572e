/** PUT /crm/<type>/by/<key>/<value>: updates the record with this key, or creates a record. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { BUILT_IN_TYPES, type RecordType } from "../../../src/records/types/index.ts";
import type { Answer } from "../../kit/api.ts";
import { sharedApi } from "../../kit/file-api.ts";
import { fullBody, makeReferable, ok, type Body, whenFree } from "../samples.ts";

const api = await sharedApi();
const acme = await api.tenant();
const refs = await makeReferable(acme);

const byKey = (path: string, kind: string, value: string): string =>
  `${path}/by/${kind}/${encodeURIComponent(value)}`;

const put = (kind: string, value: string, body: unknown, path = "/crm/leads"): Promise<Answer> =>
  acme.put(byKey(path, kind, value), body);

const resultOf = (answer: Answer): unknown[] => [
  ok(answer).headers.get("x-result"),
  answer.headers.get("etag"),
];

const historyOf = async (path: string, { _id }: Body): Promise<unknown[]> =>
  (ok(await acme.get(`${path}/${String(_id)}/history`)).body as Body[]).map(({ action }) => action);

let seeds = 500;

for (const type of Object.values(BUILT_IN_TYPES)) {
  test(`a ${type.name} is created, left alone and changed by its external id, as POST and PATCH would`, async () => {
    const { external_id, ...sent } = fullBody(type, ++seeds, refs);
    const path = type.writePath;
    const made = await put("external_id", String(external_id), sent, path);
    assert.deepEqual(resultOf(made), ["created", '"v1"']);
    assert.equal(made.body.external_id, external_id);
    const again = await put("external_id", String(external_id), { ...sent, external_id }, path);
    assert.deepEqual(resultOf(again), ["unchanged", '"v1"']);
    assert.deepEqual(again.body, made.body);
    // Everything in a response can be sent back to update the record, including masked numbers and read-only names.
    const back = await put("external_id", String(external_id), made.body, path);
    assert.deepEqual(resultOf(back), ["unchanged", '"v1"']);
    const change = { [type.statusField]: statusOtherThan(type.statusField, made.body, type) };
    const changed = await put("external_id", String(external_id), change, path);
    assert.deepEqual(resultOf(changed), ["updated", '"v2"']);
    const read = ok(await acme.get(`${type.readPaths[0]}/${made.body._id}`)).body as Body;
    assert.deepEqual(changed.body, read);
    assert.deepEqual(await historyOf(type.readPaths[0] ?? "", read), ["updated", "created"]);
  });

  test(`required fields of a ${type.name} are required only if it must be created`, async () => {
    const external_id = `missing ${type.name}`;
    const single = await acme.post(type.writePath, { external_id });
    const refused = await put("external_id", external_id, {}, type.writePath);
    assert.equal(refused.status, single.status, refused.text);
    if (single.status === 200) return;
    assert.deepEqual(refused.body, single.body);
    const wrong = await put("external_id", external_id, { name: 5, nonsense: 1 }, type.writePath);
    assert.equal(wrong.status, 422);
    const types = wrong.body.detail.map((issue: Body) => issue["type"]);
    assert.ok(!types.includes("missing") && types.includes("extra_forbidden"), wrong.text);
    ok(await acme.post(type.writePath, { ...fullBody(type, ++seeds, refs), external_id }));
    assert.deepEqual(resultOf(await put("external_id", external_id, {}, type.writePath)), [
      "unchanged",
      '"v1"',
    ]);
  });
}

function statusOtherThan(field: string, body: Body, type: RecordType): unknown {
  const described = type.fields[field];
  if (described?.kind !== "choice") throw new Error(`${field} is no choice`);
  // "completed" is skipped because it also sets a completion date, which this test does not cover.
  return described.of.find((value) => value !== body[field] && value !== "completed");
}

for (const path of ["/crm/leads", "/crm/contacts", "/crm/accounts"]) {
  test(`${path}: an email matches in any letter case, a phone number in any spelling`, async () => {
    const made = await put("email", "Mara.LIND@Example.com", { name: "Mara" }, path);
    assert.deepEqual(resultOf(made), ["created", '"v1"']);
    assert.equal(made.body.email, "Mara.LIND@Example.com");
    const same = await put("email", "mara.lind@example.COM", { phone: "(212) 555-0110" }, path);
    assert.deepEqual(resultOf(same), ["updated", '"v2"']);
    assert.equal(same.body.email, "Mara.LIND@Example.com");
    for (const number of ["+12125550110", "212.555.0110", "001 212 555 0110", " 2125550110 "]) {
      const found = await put("phone", number, {}, path);
      assert.deepEqual(resultOf(found), ["unchanged", '"v2"'], number);
      assert.equal(found.body._id, made.body._id);
    }
    const spelled = await put("phone", "+12125550110", { phone: "+1 212 555 0110" }, path);
    assert.deepEqual(resultOf(spelled), ["updated", '"v3"']);
    const fresh = await put("phone", "+12125550111", { name: "Ivo" }, path);
    assert.deepEqual(resultOf(fresh), ["created", '"v1"']);
    assert.equal(fresh.body.phone, "+12125550111");
  });
}

test("a value may contain slashes, spaces, signs and letters of every script", async () => {
  const external_ids = [
    "a/b",
    "../a",
    "50% off",
    "a+b",
    "a b",
    " a b ",
    "?x=1#y",
    "日本",
    "é",
    "𝒳",
  ];
  for (const [at, external_id] of external_ids.entries()) {
    const made = await put("external_id", external_id, { name: `N${at}` });
    assert.deepEqual([...resultOf(made), made.body.external_id], ["created", '"v1"', external_id]);
    assert.equal(resultOf(await put("external_id", external_id, {}))[0], "unchanged", external_id);
  }
  for (const email of ["ada+tag/1@example.com", "ÄRNE@exämple.com", "o'neil%@example.com"]) {
    assert.equal(resultOf(await put("email", email, { name: "A" }))[0], "created", email);
    assert.equal(resultOf(await put("email", email.toLowerCase(), {}))[0], "unchanged", email);
  }
  // Spaces around an email are ignored, so both requests find the same record.
  assert.equal(resultOf(await put("email", " pad@example.com ", { name: "P" }))[0], "created");
  assert.equal(resultOf(await put("email", "pad@example.com", {}))[0], "unchanged");
});

test("the field of the key may be omitted, null or in another spelling, but not another value", async () => {
  const path = byKey("/crm/leads", "email", "key@example.com");
  ok(await acme.put(path, { name: "K", email: null }));
  assert.equal(ok(await acme.put(path, { email: null })).body.email, "key@example.com");
  assert.equal(
    ok(await acme.put(path, { email: "Key@Example.com" })).body.email,
    "Key@Example.com",
  );
  const padded = ok(await acme.put(path, { email: " key@example.com" })).body;
  assert.equal(padded.email, " key@example.com");
  assert.equal(resultOf(await acme.put(path, { title: "Dr" }))[0], "updated");
  const cases = [
    ["email", "key@example.com", { email: "other@example.com" }, ["body", "email"]],
    ["phone", "2125550110", { phone: "2125550111" }, ["body", "phone"]],
    ["external_id", "one", { external_id: "One" }, ["body", "external_id"]],
    ["email", "nobody", {}, ["path", "email"]],
    ["email", "a b@example.com", {}, ["path", "email"]],
    ["email", "<a@example.com>", {}, ["path", "email"]],
    ["email", "a@example.com, b@example.com", {}, ["path", "email"]],
    ["phone", "call me", {}, ["path", "phone"]],
    ["phone", "12", {}, ["path", "phone"]],
    ["email", `${"x".repeat(250)}@example.com`, {}, ["path", "email"]],
    ["external_id", "x".repeat(201), {}, ["path", "external_id"]],
    ["external_id", "nul \0", {}, ["path", "external_id"]],
  ] as const;
  for (const [kind, value, body, loc] of cases) {
    const refused = await put(kind, value, body);
    assert.equal(refused.status, 422, refused.text);
    assert.deepEqual(
      refused.body.detail.map((issue: Body) => issue["loc"]),
      [loc],
    );
  }
  const both = await put("phone", "call me", { nonsense: 1 });
  assert.deepEqual(
    both.body.detail.map((issue: Body) => issue["loc"]),
    [
      ["path", "phone"],
      ["body", "nonsense"],
    ],
  );
  assert.equal((await acme.put("/crm/leads/by/email/%zz@example.com", { name: "A" })).status, 404);
  assert.equal((await acme.put("/crm/leads/by/email/", { name: "A" })).status, 404);
  assert.equal((await acme.put("/crm/leads/by/name/Ada", { name: "A" })).status, 404);
  assert.equal((await acme.put("/crm/opportunities/by/email/a@b.example", {})).status, 404);
  const masked = await put("external_id", "masked", { name: "M", ssn: "***-**-6789" });
  assert.deepEqual([masked.status, masked.body.detail[0].loc], [422, ["body", "ssn"]]);
});

test("null clears a field as in PATCH, and a reference must exist", async () => {
  const made = ok(await put("external_id", "cleared", { name: "C", comments: "x" })).body as Body;
  assert.equal(ok(await put("external_id", "cleared", { comments: null })).body.comments, null);
  const missing = { name: "D", account_id: "0".repeat(24) };
  const made2 = await put("external_id", "deal", missing, "/crm/opportunities");
  assert.deepEqual([made2.status, made2.body.detail[0].loc], [422, ["body", "account_id"]]);
  assert.equal(made["version"], 1);
});

test("several records with one key return 409 with their ids, newest first", async () => {
  const twin = { name: "Twin", email: "Twin@example.com", phone: "+1 212 555 0177" };
  const ids = [];
  for (let at = 0; at < 3; at++) ids.push(ok(await acme.post("/crm/leads", twin)).body._id);
  for (const [kind, value] of [
    ["email", "twin@example.com"],
    ["phone", "2125550177"],
  ] as const) {
    const refused = await put(kind, value, { comments: "which?" });
    assert.equal(refused.status, 409, refused.text);
    assert.deepEqual(refused.body.existing_ids, ids.toReversed());
  }
});

test("a value that another record has returns 409, on creation and on change", async () => {
  const other = ok(await acme.post("/crm/leads", { name: "O", external_id: "of another" })).body;
  const sent = { name: "N", external_id: "of another" };
  for (const name of ["created", "changed"]) {
    const refused = await put("email", "wants@example.com", sent);
    assert.deepEqual([refused.status, refused.body.existing_id], [409, other._id], name);
    ok(await put("email", "wants@example.com", { name: "N" }));
  }
});

test("a PUT by external id replaces the main entry with a secondary email, as a PATCH does", async () => {
  const work = { type: "Work", email: "work@secondary.example" };
  const main = { type: "Main", email: "main@secondary.example" };
  const change = { name: "New", email: work.email };
  for (const [at, email_list] of [[work], [main, work]].entries()) {
    const external_id = `secondary ${at}`;
    const made = ok(await acme.post("/crm/leads", { name: "A", external_id, email_list })).body;
    const patched = ok(await acme.post("/crm/leads", { name: "A", email_list })).body;
    const { email, ...expected } = ok(await acme.patch(`/crm/leads/${patched._id}`, change)).body;
    const answer = await put("external_id", external_id, change);
    assert.deepEqual(resultOf(answer), ["updated", '"v2"']);
    assert.deepEqual(
      [answer.body._id, answer.body.name, answer.body.email, answer.body.email_list],
      [made._id, "New", email, expected["email_list"]],
    );
    assert.equal(email, work.email);
  }
});

test("an email that finds the record becomes its main entry only if it has none", async () => {
  const work = { type: "Work", email: "found@secondary.example" };
  const { _id } = ok(await acme.post("/crm/leads", { name: "A", email_list: [work] })).body;
  const first = await put("email", work.email, { email: work.email });
  assert.deepEqual([first.body._id, first.body.email], [_id, work.email]);
  const email_list = [{ type: "Main", email: "own@secondary.example" }, work];
  ok(await acme.patch(`/crm/leads/${_id}`, { email_list }));
  const second = await put("email", work.email, { email: work.email });
  assert.equal(second.body.email, "own@secondary.example");
});

const times = <T>(count: number, work: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)));

for (const [kind, value, path] of [
  ["email", "fifty@example.com", "/crm/leads"],
  ["phone", "+12125550150", "/crm/contacts"],
  ["external_id", "fifty", "/crm/opportunities"],
] as const) {
  test(`50 concurrent calls for one ${kind} create one record and lose nothing`, async () => {
    const field = kind === "external_id" ? "business_need_description" : "website";
    const about = kind === "external_id" ? { account_id: refs["account"] } : {};
    const answers = await times(50, (at) =>
      whenFree(() => put(kind, value, { name: "Fifty", [field]: `value ${at}`, ...about }, path)),
    );
    const results = answers.map((answer) => resultOf(answer)[0]);
    assert.equal(results.filter((result) => result === "created").length, 1);
    assert.equal(results.filter((result) => result === "updated").length, 49);
    assert.equal(new Set(answers.map(({ body }) => body._id)).size, 1);
    const versions = answers.map(({ body }) => body.version as number);
    assert.equal(new Set(versions).size, 50);
    for (const [at, { body }] of answers.entries()) assert.equal(body[field], `value ${at}`);
  });
}

test("concurrent creations with the same external id create no second record and fail no PUT", async () => {
  const answers = await times(40, (at) =>
    whenFree(() =>
      at % 2 === 0
        ? acme.post("/crm/accounts", { name: "Raced", external_id: "raced" })
        : put("external_id", "raced", { name: "Raced" }, "/crm/accounts"),
    ),
  );
  const puts = answers.filter((_, at) => at % 2 === 1);
  assert.equal(new Set(puts.map((answer) => ok(answer).body._id)).size, 1);
  const made = answers.filter(
    ({ status, headers }) => status === 200 && headers.get("x-result") !== "unchanged",
  );
  assert.equal(made.length, 1);
});

test("a key finds no record of another tenant, and needs write permission", async () => {
  const rival = await api.tenant();
  const path = byKey("/crm/leads", "email", "shared@example.com");
  const ours = ok(await acme.put(path, { name: "Ours" })).body;
  const theirs = await rival.put(path, { name: "Theirs" });
  assert.equal(resultOf(theirs)[0], "created");
  assert.notEqual(theirs.body._id, ours._id);
  const reader = await acme.token(["records:read"]);
  assert.equal((await reader.put(path, { name: "Mine" })).status, 403);
  assert.equal((await acme.get(path)).status, 405);
});

test("letters that change length or order in lower case are compared in one way", async () => {
  // JavaScript's toLowerCase() converts a final Σ to ς and converts İ to two characters. PostgreSQL's lower() converts
  // Σ to σ and converts İ to a single character.
  for (const [stored, asked] of [
    ["ΑΣ@example.com", "ασ@example.com"],
    ["İREM@example.com", "irem@example.com"],
  ] as const) {
    const { _id } = ok(await acme.post("/crm/contacts", { name: "A", email: stored })).body;
    for (const email of [stored, asked]) {
      const found = await put("email", email, { comments: email }, "/crm/contacts");
      assert.deepEqual([resultOf(found)[0], found.body._id], ["updated", _id]);
      for (const [path, sent] of [
        ["/crm/contacts", { name: "B", email }],
        ["/crm/contacts/batch", { items: [{ name: "C", email }] }],
      ] as const) {
        const answer = await acme.post(`${path}?on_duplicate=update`, sent);
        const body = answer.body[0] ?? answer.body;
        assert.equal(body._id, _id, answer.text);
      }
    }
    const items = [stored, asked].map((email) => ({ name: "D", email: `x${email}` }));
    const { body } = await acme.post("/crm/contacts/batch?on_duplicate=return", { items });
    assert.deepEqual(
      body.map(({ result }: Body) => result),
      ["created", "existing"],
    );
  }
});
