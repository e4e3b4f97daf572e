/**
 * The rule about content types applies to a stored template only when it is saved again. Until then, the template
 * continues to work.
 */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { listRefusedTemplates } from "../../../src/exchange/callouts/index.ts";
import { createSealer } from "../../../src/platform/secrets/sealing.ts";
import { file, fileApi } from "../../kit/file-api.ts";
import { ok, type Body } from "../../api/samples.ts";
import { startReceiver } from "../../delivery/receiver.ts";
import type { Client } from "../../kit/api.ts";
import { CHECK, sentencesOf, WEBHOOK } from "./callout-kit.ts";
import type { MasterKey } from "../../../src/platform/secrets/index.ts";

const keys: MasterKey = { all: [randomBytes(32)] };
const api = await fileApi({ keys });
const receiver = await startReceiver(file);
const type = (text: string): Body => ({ "Content-Type": text });
const UNKNOWN =
  "no escaping is known for text/csv; use JSON, XML, HTML or a form, or set raw_template to " +
  "insert values unescaped";

const refused = async ({ tenantId }: Client) =>
  (await listRefusedTemplates(api.sql as never, { sealer: createSealer(keys) }))
    .filter((found) => found.tenantId === tenantId)
    .map(({ setting, problem }) => [setting, problem]);

/** Stores settings as they were before the `raw_template` option existed. */
async function storeEarlier(client: Client, path: string, body: Body): Promise<void> {
  ok(await client.put(path, { ...body, raw_template: true }));
  const name = path.split("/").at(-1) ?? "";
  await api.sql`
    update tenant_settings set value = (value::jsonb - 'raw_template')::json
     where tenant_id = ${client.tenantId} and name = ${name}`;
}

for (const path of [WEBHOOK, CHECK]) {
  const name = path.split("/").at(-1) ?? "";
  const base = { enabled: false, url: receiver.url, headers: type("text/csv") };
  const csv = { ...base, body_template: "{{name}},{{email}}" };

  test(`${name}: a type without a known escaping needs raw_template, and other types reject it`, async () => {
    const acme = await api.tenant();
    for (const send of [acme.put.bind(acme, path), acme.post.bind(acme, `${path}/preview`)]) {
      assert.deepEqual(sentencesOf(await send(csv)), [`body_template: ${UNKNOWN}`]);
      // The default template also contains placeholders.
      assert.deepEqual(sentencesOf(await send(base)), [`body_template: ${UNKNOWN}`]);
      ok(await send({ ...csv, raw_template: true }));
      const json = { ...csv, headers: {}, body_template: "{}", raw_template: true };
      assert.deepEqual(sentencesOf(await send(json)), [
        "raw_template: values are always escaped in application/json; leave raw_template out",
      ]);
      assert.deepEqual(sentencesOf(await send({ ...csv, raw_template: "yes" })).slice(-1), [
        "raw_template: Input should be a valid boolean",
      ]);
    }
    assert.equal(ok(await acme.get(path)).body.raw_template, true);
  });

  test(`${name}: a stored template is sent as it was until it is saved again`, async () => {
    const acme = await api.tenant();
    await storeEarlier(acme, path, csv);
    assert.deepEqual(await refused(acme), [[name, UNKNOWN]]);
    const stored = ok(await acme.get(path)).body;
    assert.equal(stored.raw_template, null);
    const tried = ok(await acme.post(`${path}/test`)).body;
    assert.equal(tried.request.body, "Leadport test,leadport-test@example.com");
    assert.equal(receiver.received.at(-1)?.body, tried.request.body);
    assert.deepEqual(sentencesOf(await acme.put(path, csv)), [`body_template: ${UNKNOWN}`]);
    const again = { ...csv, raw_template: stored.raw_template };
    assert.deepEqual(sentencesOf(await acme.put(path, again)), [`body_template: ${UNKNOWN}`]);
    ok(await acme.put(path, { ...csv, raw_template: true }));
    assert.deepEqual(await refused(acme), []);
  });

  test(`${name}: a setting that today's rule accepts is not listed`, async () => {
    const acme = await api.tenant();
    const lines = { ...csv, headers: type("application/x-ndjson"), body_template: '["{{name}}"]' };
    ok(await acme.put(path, lines));
    await api.sql`
      update tenant_settings set value = (value::jsonb - 'raw_template')::json where tenant_id = ${acme.tenantId}`;
    assert.equal(ok(await acme.get(path)).body.raw_template, null);
    assert.deepEqual(await refused(acme), []);
  });
}
