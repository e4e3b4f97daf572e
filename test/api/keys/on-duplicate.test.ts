/** POST …?on_duplicate= and the tenant's setting: what happens if the person already exists. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer, Client } from "../../kit/api.ts";
import { sharedApi } from "../../kit/file-api.ts";
import { ok, type Body } from "../samples.ts";

const api = await sharedApi();
const acme = await api.tenant();
const PATHS = ["/crm/leads", "/crm/contacts", "/crm/accounts"] as const;

let seeds = 0;
/** Returns a new person. */
const somebody = () => {
  const seed = String(++seeds).padStart(2, "0");
  return { name: "Ada Example", email: `Ada${seed}@Example.com`, phone: `+1 212 555 01${seed}` };
};
type Somebody = ReturnType<typeof somebody>;

const add = (mode: string, sent: unknown, path: string = PATHS[0]): Promise<Answer> =>
  acme.post(`${path}?on_duplicate=${mode}`, sent);
const resultOf = (answer: Answer) => ok(answer).headers.get("x-result");

/**
 * Returns two variations of a person: one has the same email in lowercase and no phone number, the other has only the
 * phone number, in another format.
 */
const spellings = ({ email, phone }: Somebody) => [
  { name: "A. Example", email: email.toLowerCase() },
  { name: "A. Example", phone: phone.slice(3).replaceAll(" ", "-") },
];

for (const path of PATHS) {
  test(`${path}: a person with a known email or number is rejected, returned, updated or created again`, async () => {
    const known = somebody();
    const first = await add("reject", known, path);
    assert.equal(resultOf(first), "created");
    const { _id } = first.body;
    for (const spelling of spellings(known)) {
      const [name = ""] = Object.keys(spelling).filter((key) => key !== "name");
      const rejected = await add("reject", spelling, path);
      assert.deepEqual(
        [rejected.status, rejected.body],
        [
          409,
          {
            detail: `There is already a record of this type with this ${name}`,
            existing_id: _id,
          },
        ],
      );
      const returned = await add("return", { ...spelling, website: "https://example.com" }, path);
      assert.deepEqual([resultOf(returned), returned.headers.get("etag")], ["existing", '"v1"']);
      assert.deepEqual(returned.body, first.body);
    }
    const sent = { name: "Ada Example", email: known.email, tags: ["new"], website: null };
    const updated = await add("update", sent, path);
    assert.deepEqual([resultOf(updated), updated.headers.get("etag")], ["updated", '"v2"']);
    assert.deepEqual([updated.body._id, updated.body.tags], [_id, ["new"]]);
    assert.equal(updated.body.phone, known.phone, "what is not sent stays");
    assert.equal(resultOf(await add("update", sent, path)), "unchanged");
    const history = ok(await acme.get(`${path}/${_id}/history`)).body as Body[];
    assert.deepEqual(
      history.map(({ action }) => action),
      ["updated", "created"],
    );
    const again = await add("allow", known, path);
    assert.equal(resultOf(again), "created");
    assert.notEqual(again.body._id, _id);
  });
}

test("null in the body of a creation clears nothing in the existing record", async () => {
  const known = { ...somebody(), comments: "kept" };
  ok(await acme.post("/crm/leads", known));
  const updated = await add("update", { ...known, comments: null, title: "Dr" });
  assert.deepEqual([updated.body.comments, updated.body.title], ["kept", "Dr"]);
});

test("an email counts more than a number, and of several records the newest counts", async () => {
  const one = somebody();
  const other = somebody();
  const byEmail = ok(await acme.post("/crm/leads", { name: "E", email: one.email })).body;
  ok(await acme.post("/crm/leads", { name: "P", phone: other.phone }));
  const newest = ok(await acme.post("/crm/leads", { name: "P2", phone: other.phone })).body;
  const both = { name: "Both", email: one.email, phone: other.phone };
  assert.equal((await add("reject", both)).body.existing_id, byEmail._id);
  const { email: _, ...number } = both;
  assert.equal((await add("reject", number)).body.existing_id, newest._id);
});

test("a person without email and number has no duplicates", async () => {
  for (const sent of [{ name: "N" }, { name: "N", email: "n/a", phone: "unknown" }]) {
    const made = [await add("reject", sent), await add("reject", sent)];
    assert.deepEqual(made.map(resultOf), ["created", "created"]);
  }
  // A lead, a contact and an account are never duplicates of each other.
  const known = somebody();
  for (const path of PATHS) assert.equal(resultOf(await add("reject", known, path)), "created");
});

test("errors in a creation are reported before duplicates are looked for", async () => {
  const known = somebody();
  ok(await acme.post("/crm/leads", known));
  const refused = await add("never", { ...known, name: 5 });
  assert.equal(refused.status, 422);
  assert.deepEqual(
    refused.body.detail.map(({ type, loc }: Body) => [type, loc]),
    [
      ["enum", ["query", "on_duplicate"]],
      ["string_type", ["body", "name"]],
    ],
  );
  const deal = await acme.post("/crm/opportunities?on_duplicate=allow", { name: "D" });
  assert.deepEqual(deal.body.detail[0].loc, ["query", "on_duplicate"]);
});

test("an update that would take another record's external id returns 409 with that record", async () => {
  const known = somebody();
  ok(await acme.post("/crm/leads", known));
  const other = ok(await acme.post("/crm/leads", { name: "O", external_id: "taken" })).body;
  const refused = await add("update", { ...known, external_id: "taken" });
  assert.deepEqual([refused.status, refused.body.existing_id], [409, other._id]);
});

test("a tenant's setting applies if a creation does not set on_duplicate", async () => {
  const tenant = await api.tenant();
  const known = somebody();
  const post = (sent: unknown, query = "") => tenant.post(`/crm/leads${query}`, sent);
  assert.equal(ok(await tenant.get("/crm/admin/tenant")).body.on_duplicate, "allow");
  const first = ok(await post(known));
  const second = ok(await post(known));
  assert.deepEqual([first.headers.get("x-result"), second.headers.get("x-result")], [null, null]);
  assert.notEqual(first.body._id, second.body._id);
  const set = (on_duplicate: unknown) => tenant.patch("/crm/admin/tenant", { on_duplicate });
  assert.equal(ok(await set("update")).body.on_duplicate, "update");
  const updated = ok(await post({ ...known, comments: "again" }));
  assert.deepEqual([resultOf(updated), updated.body._id], ["updated", second.body._id]);
  assert.equal(resultOf(await post(known, "?on_duplicate=return")), "existing");
  assert.equal(resultOf(await post(known, "?on_duplicate=allow")), "created");
  const [result] = (await tenant.post("/crm/leads/batch", { items: [known] })).body;
  assert.equal(result.result, "unchanged");
  const { status, body } = await set("merge");
  assert.deepEqual([status, body.detail[0].loc], [422, ["body", "on_duplicate"]]);
  const audit = ok(await tenant.get("/crm/admin/audit", { subject_type: "tenant" })).body as Body[];
  assert.ok(audit.some(({ fields }) => "on_duplicate" in (fields as object)));
  // A conversion ignores the setting: it succeeds although a contact with the same email exists.
  ok(await set("reject"));
  ok(await tenant.post("/crm/contacts", somebody()));
  const lead = ok(await post(somebody())).body;
  ok(await tenant.post("/crm/contacts", { name: "Same", email: lead.email }));
  ok(await tenant.post(`/crm/leads/${lead._id}/convert`, {}));
  assert.equal((await post({ name: "X", email: lead.email })).status, 409);
});

const atOnce = (count: number, mode: string, sent: Somebody, client: Client = acme) =>
  Promise.all(
    Array.from({ length: count }, (_, at) =>
      client.post(`/crm/leads?on_duplicate=${mode}`, {
        ...(at % 2 === 0 ? sent : { ...sent, email: undefined }),
        website: `https://example.com/${at}`,
      }),
    ),
  );

test("of 30 concurrent creations of one person one creates it, whatever the others do", async () => {
  const rejected = await atOnce(30, "reject", somebody());
  const made = rejected.filter(({ status }) => status === 200);
  assert.equal(made.length, 1);
  for (const answer of rejected.filter(({ status }) => status !== 200)) {
    assert.deepEqual([answer.status, answer.body.existing_id], [409, made[0]?.body._id]);
  }
  for (const [mode, other] of [
    ["return", "existing"],
    ["update", "updated"],
  ] as const) {
    const results = (await atOnce(30, mode, somebody())).map(resultOf);
    const count = (wanted: string) => results.filter((result) => result === wanted).length;
    assert.deepEqual([count("created"), count(other)], [1, 29], mode);
  }
});

/** Returns the outcome of each batch item: the result, or the status of the error. */
const outcomesOf = (answer: Answer): unknown[] => {
  assert.equal(answer.status, 207, answer.text);
  return answer.body.map(({ status, result }: Body) => result ?? status);
};

test("in a batch duplicates are handled one by one, including duplicates within the batch", async () => {
  const known = somebody();
  const fresh = somebody();
  const { _id } = ok(await acme.post("/crm/leads", known)).body;
  const items = [
    { name: "Known", email: known.email },
    fresh,
    { name: "Fresh again", phone: fresh.phone, comments: "x" },
    { name: "Another" },
    { ...fresh, name: 5 },
  ];
  const path = "/crm/leads/batch?on_duplicate=";
  const rejected = await acme.post(`${path}reject`, { items });
  assert.deepEqual(outcomesOf(rejected), [409, "created", 409, "created", 422]);
  const made = rejected.body[1]._id;
  assert.deepEqual([rejected.body[0].existing_id, rejected.body[2].existing_id], [_id, made]);
  const returned = await acme.post(`${path}return`, { items });
  assert.deepEqual(outcomesOf(returned), ["existing", "existing", "existing", "created", 422]);
  const updated = await acme.post(`${path}update`, { items });
  assert.deepEqual(outcomesOf(updated), ["updated", "unchanged", "updated", "created", 422]);
  assert.deepEqual(
    updated.body.slice(0, 3).map((one: Body) => one["_id"]),
    [_id, made, made],
  );
});

test("in a batch an external id belongs to the first item that has it", async () => {
  const { email } = somebody();
  const items = [
    { name: "A", email },
    { name: "B", email, external_id: "first come" },
    { name: "C", external_id: "first come" },
  ];
  const answer = await acme.post("/crm/leads/batch?on_duplicate=update", { items });
  assert.deepEqual(outcomesOf(answer), ["created", "updated", 409]);
  assert.equal(answer.body[2].existing_id, answer.body[0]._id);
});

test("concurrent batches and single creations create each person once", async () => {
  const people = Array.from({ length: 40 }, (_, at) => ({
    name: "Crowd",
    email: `crowd${at}@example.com`,
  }));
  const batches = [people, people.toReversed(), people].map((items) =>
    acme.post("/crm/contacts/batch?on_duplicate=reject", { items }),
  );
  const singles = people.slice(0, 20).map((sent) => add("return", sent, "/crm/contacts"));
  const upserts = people
    .slice(20)
    .map(({ email, name }) => acme.put(`/crm/contacts/by/email/${email}`, { name }));
  const answers = await Promise.all([...batches, ...singles, ...upserts]);
  for (const { status, text } of answers) assert.ok(status === 200 || status === 207, text);
  const crowd = { match_filter_dict: { name: "Crowd" }, page_size: 500 };
  assert.equal(ok(await acme.get("/crm/contacts", crowd)).body.length, people.length);
});

test("an atomic batch with one duplicate that must be rejected writes nothing", async () => {
  const known = somebody();
  const fresh = somebody();
  const { _id } = ok(await acme.post("/crm/leads", known)).body;
  const taken = ok(await acme.post("/crm/leads", { name: "T", external_id: "theirs" })).body;
  const path = "/crm/leads/batch?on_duplicate=";
  const items = [fresh, { ...known, comments: "x" }, { name: "F", phone: fresh.phone }];
  const refused = await acme.post(`${path}reject`, { items, atomic: true });
  assert.equal(refused.status, 422);
  assert.deepEqual(
    refused.body.detail.map(({ type, loc, ctx }: Body) => [type, loc, ctx]),
    [
      ["conflict", ["body", "items", 1, "email"], { existing_id: _id }],
      ["conflict", ["body", "items", 2, "phone"], { index: 0 }],
    ],
  );
  const crossed = [items[1], { ...known, external_id: "theirs" }];
  const conflict = await acme.post(`${path}update`, { items: crossed, atomic: true });
  assert.deepEqual(
    [conflict.status, conflict.body.detail[0].loc, conflict.body.detail[0].ctx],
    [422, ["body", "items", 1], { existing_id: taken._id }],
  );
  const history = ok(await acme.get(`/crm/leads/${_id}/history`)).body as Body[];
  assert.equal(history.length, 1);
  assert.equal(resultOf(await add("reject", fresh)), "created");
});
