/** Every operation in openapi.json that accepts JSON rejects hostile bodies with a small response. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedApi } from "../../kit/file-api.ts";
import { isLong } from "../../kit/long.ts";
import { filled, operationsOf, readDocument } from "../operations.ts";

const api = await sharedApi();
const acme = await api.tenant();
const operations = operationsOf(await readDocument(acme)).filter(
  ({ body }) => body?.type === "application/json",
);

const KEYS = Array.from({ length: 60_000 }, (_, at) => `"k${at}":1`).join();
/** Bodies at the size limit, with the maximum number of members or far more. */
const HOSTILE: Readonly<Record<string, string>> = {
  "many keys": `{${KEYS}}`,
  "as many keys as are allowed": `{${KEYS.split(",").slice(0, 50_000).join()}}`,
  "objects in a list": `{"tags":[${"{},".repeat(300_000)}{}]}`,
  "as many objects as are allowed": `{"tags":[${"{},".repeat(49_990)}{}],"items":[{"tags":[{}]}]}`,
  "a list in place of an object": `[${"[],".repeat(49_990)}[]]`,
  "deep nesting": `{"items":${"[".repeat(500_000)}`,
  "one long text": `{"${"x".repeat(1_000_000)}":1}`,
  "issues within a long name": `{"social_dict_list":[{"type":"a","url":"b","${"x".repeat(900_000)}":[${`"${"y".repeat(900)}",`.repeat(100)}1]}]}`,
  "half of a text": `{"items":[{"name":"${"\\".repeat(1_000_000)}`,
};
const RESPONSE_MAX_bytes = 512 * 1024;

test("there are operations of every area to try", () => assert.ok(operations.length > 50));

// Each operation gets one of the bodies. With `npm run test:long`, it gets all of them.
for (const [at, [what, body]] of Object.entries(HOSTILE).entries()) {
  const tried = operations.filter((_, n) => isLong || n % Object.keys(HOSTILE).length === at);
  test(`operations reject a body with ${what}, with a small response`, async () => {
    const odd: string[] = [];
    for (const { method, path, id } of tried) {
      const answer = await acme.request({
        method,
        path: filled(path, () => "0".repeat(24)),
        headers: { "content-type": "application/json" },
        body,
      });
      const isRefused = answer.status >= 400 && answer.status < 500;
      if (!isRefused || answer.text.length > RESPONSE_MAX_bytes) {
        odd.push(`${id}: ${answer.status}, ${answer.text.length} bytes`);
      }
    }
    assert.deepEqual(odd, []);
  });
}
