/** Many concurrent writers: nothing is lost or duplicated. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedApi } from "../../kit/file-api.ts";
import { makeReferable, ok, whenFree } from "../samples.ts";

const api = await sharedApi();
const acme = await api.tenant();
const refs = await makeReferable(acme);

const times = <T>(count: number, work: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)));

test("50 concurrent changes of different fields all succeed, and the version counts them", async () => {
  const { _id } = ok(await acme.post("/crm/leads", { name: "Ada" })).body;
  const fields = ["comments", "employer_name", "profession", "title", "website"];
  const changes = Array.from(
    { length: 50 },
    (_, at) => [fields[at % 5] ?? "", `value ${at}`] as const,
  );
  const answers = await times(50, (at) => {
    const [field, value] = changes[at] ?? ["", ""];
    return whenFree(() => acme.patch(`/crm/leads/${_id}`, { [field]: value }));
  });
  for (const [at, answer] of answers.entries()) {
    const [field = "", value] = changes[at] ?? [];
    assert.equal(ok(answer).body[field], value);
  }
  const after = ok(await acme.get(`/crm/leads/${_id}`)).body;
  assert.equal(after.version, 51);
  for (const field of fields) assert.match(after[field], /^value \d+$/);
  const history = ok(await acme.get(`/crm/leads/${_id}/history`, { page_size: 100 })).body;
  const versions = history.map(({ version }: { version: number }) => version);
  assert.deepEqual(
    versions.toSorted((a: number, b: number) => a - b),
    Array.from({ length: 51 }, (_, at) => at + 1),
  );
});

test("of 20 records with one external id one is created, and the others name it", async () => {
  for (const path of ["/crm/leads", "/crm/accounts"]) {
    const answers = await times(20, () =>
      whenFree(() => acme.post(path, { name: "Ada", external_id: "same" })),
    );
    const made = answers.filter(({ status }) => status === 200);
    assert.equal(made.length, 1, path);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      assert.equal(answer.status, 409, answer.text);
      assert.equal(answer.body.existing_id, made[0]?.body._id);
    }
  }
});

test("of 20 changes to one external id one succeeds", async () => {
  const leads = await times(
    20,
    async (at) => ok(await acme.post("/crm/leads", { name: `L${at}` })).body,
  );
  const answers = await Promise.all(
    leads.map(({ _id }) =>
      whenFree(() => acme.patch(`/crm/leads/${_id}`, { external_id: "wanted" })),
    ),
  );
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, ...Array(19).fill(409)],
  );
});

const numberOf = ({ body }: { body: { order_num: string } }) =>
  Number(body.order_num.replace("SO-", ""));

test("orders that are created at the same time have separate, rising numbers", async () => {
  const made = await times(30, () =>
    whenFree(() => acme.post("/crm/orders", { account_id: refs["account"] })),
  );
  const numbers = made.map((answer) => numberOf(ok(answer)));
  assert.equal(new Set(numbers).size, 30);
  assert.ok(numbers.every((number) => number >= 1001));
  const next = numberOf(ok(await acme.post("/crm/orders", { account_id: refs["account"] })));
  assert.ok(next > Math.max(...numbers));
  const rival = await api.tenant();
  const { account } = await makeReferable(rival);
  assert.equal(numberOf(ok(await rival.post("/crm/orders", { account_id: account }))), 1001);
});

test("of many deletions of a task one succeeds", async () => {
  const { _id } = ok(await acme.post("/crm/tasks", { name: "Call" })).body;
  const answers = await times(10, () => acme.delete(`/crm/tasks/${_id}`));
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, ...Array(9).fill(404)],
  );
  const entries = ok(
    await acme.get("/crm/admin/audit", { subject_id: _id, action: "deleted" }),
  ).body;
  assert.equal(entries.length, 1);
});

test("ids rise with creation and contain its time", async () => {
  const made = [];
  for (let at = 0; at < 20; at++) made.push(ok(await acme.post("/crm/leads", { name: "A" })).body);
  const ids = made.map(({ _id }) => String(_id));
  assert.deepEqual(ids, ids.toSorted());
  for (const { _id, created_ts } of made) {
    assert.ok(Math.abs(Number.parseInt(String(_id).slice(0, 8), 16) - created_ts) <= 1);
  }
});
