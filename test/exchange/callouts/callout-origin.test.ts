/** Stored header values are sent only to the origin for which they were entered. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedApi } from "../../kit/file-api.ts";
import { ok } from "../../api/samples.ts";
import { startReceiver } from "../../delivery/receiver.ts";
import { CHECK, sentencesOf, WEBHOOK } from "./callout-kit.ts";

const api = await sharedApi();
const STORED = "https://hooks.example.com/leads";
const MASKED = { "X-Api-Key": "***" };
const REQUIRED =
  "headers.X-Api-Key: enter this value again; stored header values are not sent to " +
  "another scheme, host or port";

/** URLs to which a stored value must not be sent. */
const OTHER_ORIGINS: readonly (string | null)[] = [
  "https://attacker.example.net/leads",
  "https://hooks.example.com:8443/leads",
  "https://hooks.example.com.attacker.example.net/leads",
  "http://127.0.0.1:9/leads",
  "https://127.0.0.1:9/leads",
];

/** Other URLs with the same origin, some of them spelled differently. */
const SAME_ORIGIN: readonly string[] = [
  "https://hooks.example.com/other?x=1",
  "https://HOOKS.example.com:443/leads",
];

for (const path of [WEBHOOK, CHECK]) {
  const name = path.split("/").at(-1) ?? "";

  test(`${name}: another origin requires the header values again`, async () => {
    const acme = await api.tenant();
    ok(await acme.put(path, { enabled: true, url: STORED, headers: { "X-Api-Key": "s3cret" } }));
    for (const url of OTHER_ORIGINS) {
      const moved = { enabled: true, url, headers: { ...MASKED, "X-New": "1" } };
      for (const answer of [
        await acme.put(path, moved),
        await acme.post(`${path}/preview`, moved),
      ]) {
        assert.deepEqual(sentencesOf(answer), [REQUIRED], String(url));
        assert.deepEqual(answer.body.detail[0].loc, ["body", "headers", "X-Api-Key"]);
      }
      assert.equal(ok(await acme.get(path)).body.url, STORED);
    }
    for (const url of SAME_ORIGIN) {
      const same = { enabled: true, url, headers: MASKED };
      assert.deepEqual(ok(await acme.post(`${path}/preview`, same)).body.headers, MASKED);
      assert.deepEqual(ok(await acme.put(path, same)).body.headers, MASKED);
    }
  });

  test(`${name}: a stored value is never sent to a host it was not entered for`, async (t) => {
    const acme = await api.tenant();
    const own = await startReceiver(t);
    const other = await startReceiver(t);
    const set = { enabled: true, url: own.url, headers: { "X-Api-Key": "s3cret" } };
    ok(await acme.put(path, set));
    // Removing the URL first does not make the stored value available to a new URL.
    ok(await acme.put(path, { enabled: false, url: null, headers: MASKED }));
    const moved = { enabled: true, url: other.url, headers: MASKED };
    assert.deepEqual(sentencesOf(await acme.put(path, moved)), [REQUIRED]);
    ok(await acme.put(path, { ...moved, headers: { "X-Api-Key": "another" } }));
    ok(await acme.post(`${path}/test`));
    ok(await acme.put(path, set));
    ok(await acme.put(path, { ...set, url: `${own.url}/further`, headers: MASKED }));
    ok(await acme.post(`${path}/test`));
    const keys = [other, own].map(({ received }) =>
      received.map(({ headers }) => headers["x-api-key"]),
    );
    assert.deepEqual(keys, [["another"], ["s3cret"]]);
  });

  test(`${name}: another URL of the same origin needs no values again`, async () => {
    const acme = await api.tenant();
    const type = { "Content-Type": "application/json" };
    ok(await acme.put(path, { enabled: true, url: STORED, headers: type }));
    ok(await acme.put(path, { enabled: true, url: "https://other.example.com/", headers: type }));
  });
}
