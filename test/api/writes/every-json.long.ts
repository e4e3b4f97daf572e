/**
 * Sends every JSON type, and numbers that no database column can store, in every member of every body in openapi.json,
 * at any depth. No request may return a 500.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileApi } from "../../kit/file-api.ts";
import { everyAttempt, failuresOf, VALUES } from "./every-json.ts";

// Without a rate limit. A fast machine would exceed it, and requests that are rejected with a 429 test nothing.
const api = await fileApi({ rateLimit: 0 });

const values = [...VALUES, 1e16, -1e300];

test("no JSON type and no number in any member of a body returns 500", async (t) => {
  const attempts = await everyAttempt(api, await api.tenant(), { depth: 4, values });
  t.diagnostic(`${attempts.length} bodies`);
  assert.ok(attempts.length > 9000, `${attempts.length}`);
  assert.deepEqual(await failuresOf(attempts), []);
});
