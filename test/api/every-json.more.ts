/** Sends every JSON type in every member of every body in openapi.json, at any depth. No request may return a 500. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileApi } from "../kit/file-api.ts";
import { everyAttempt, failuresOf, VALUES } from "./every-json.ts";

const api = await fileApi();

test("no JSON type in any member of a body returns 500", async (t) => {
  const attempts = await everyAttempt(api, await api.tenant(), { depth: 4, values: VALUES });
  t.diagnostic(`${attempts.length} bodies`);
  assert.ok(attempts.length > 9000, `${attempts.length}`);
  assert.deepEqual(await failuresOf(attempts), []);
});
