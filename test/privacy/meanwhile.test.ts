/** Records and requests that contain a person's data while the person is being erased. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { ok } from "../api/samples.ts";
import { startReceiver, status } from "../delivery/receiver.ts";
import { eventually } from "../kit/eventually.ts";
import { file, fileApi } from "../kit/file-api.ts";
import { eraseAll, report } from "./person-requests.ts";
import { occurrencesOf } from "./person-kit.ts";

const api = await fileApi({ works: true });
const receiver = await startReceiver(file);
const NAME = "Wanda Whilesome";
const EMAIL = "wanda.whilesome@example.org";

test("a webhook request that is in progress stores nothing of the person when it ends", async () => {
  const client = await api.tenant();
  const answered = Promise.withResolvers<void>();
  receiver.respond = async (response, { body }) => {
    await answered.promise;
    response.writeHead(500).end(`Cannot handle ${body}`);
  };
  ok(await client.post("/crm/webhooks", { url: receiver.url, events: ["lead.created"] }));
  ok(await client.post("/crm/leads", { name: NAME, email: EMAIL }));
  await eventually(() => receiver.received.some(({ body }) => body.includes(EMAIL)));
  const erased = ok(await eraseAll(client, await report(client, { email: EMAIL }))).body;
  assert.equal(erased.state, "done");
  answered.resolve();
  const attempts = await eventually(
    () => api.sql`
      select status, request, request_body, answer from delivery_attempts
       where tenant_id = ${client.tenantId}`,
    ({ count }) => count > 0,
  );
  receiver.respond = status(204);
  assert.deepEqual(
    [...attempts].map((attempt) => ({ ...attempt })),
    [{ status: 500, request: null, request_body: null, answer: "" }],
  );
  assert.deepEqual(await occurrencesOf(api.sql, client.tenantId, ["whilesome"]), []);
});

test("a record that was merged into another one since the report is not forgotten", async () => {
  const client = await api.tenant();
  const lead = async (fields: object) => ok(await client.post("/crm/leads", fields)).body._id;
  const merged = await lead({ name: NAME, email: EMAIL });
  const found = await report(client, { email: EMAIL });
  const survivor = await lead({ name: "Other" });
  ok(await client.post(`/crm/leads/${survivor}/merge`, { ids: [merged] }));
  const refused = await eraseAll(client, found);
  assert.equal(refused.status, 409, refused.text);
  assert.deepEqual(refused.body.changed_ids, [merged]);
  // A new report lists the record that now contains the person's data.
  ok(await eraseAll(client, await report(client, { email: EMAIL })));
  assert.deepEqual(await occurrencesOf(api.sql, client.tenantId, ["whilesome"]), []);
});

test("edits and references that arrive during an erasure leave nothing behind", async () => {
  const client = await api.tenant();
  const { _id } = ok(await client.post("/crm/contacts", { name: NAME, email: EMAIL })).body;
  let isErased = false;
  const repeat = async (times: number, write: (n: number) => Promise<unknown>) => {
    for (let n = 0; n < times && !isErased; n += 1) await write(n);
  };
  const refer = () => client.post("/crm/opportunities", { name: "Deal", contact_id: _id });
  const erase = async () => {
    for (; !isErased;) {
      const { status: code, text } = await eraseAll(client, await report(client, { email: EMAIL }));
      assert.ok(code === 200 || code === 409, text);
      isErased = code === 200;
    }
  };
  await Promise.all([
    repeat(20, (n) => client.patch(`/crm/contacts/${_id}`, { title: `${NAME} ${n}` })),
    repeat(500, refer),
    repeat(500, refer),
    erase(),
  ]);
  const [erasure] = ok(await client.get("/crm/admin/persons/erasures")).body;
  await eventually(
    async () => ok(await client.get(`/crm/admin/persons/erasures/${erasure.id}`)).body.state,
    (state) => state === "done",
    90_000,
  );
  assert.deepEqual(await occurrencesOf(api.sql, client.tenantId, ["whilesome"]), []);
  const left = await api.sql`
    select from deals where tenant_id = ${client.tenantId} and contact_id is not null`;
  assert.equal(left.count, 0);
});
