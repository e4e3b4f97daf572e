/**
 * A body member with the wrong JSON type never causes a 500. This file tries two values in top-level members.
 * every-json.long.ts tries every type at every depth.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedApi } from "../../kit/file-api.ts";
import { everyAttempt, failuresOf } from "./every-json.ts";

const api = await sharedApi();
const attempts = await everyAttempt(api, await api.tenant(), { depth: 1, values: [true, {}] });

test("there are bodies of every operation to try", () => {
  assert.ok(new Set(attempts.map(({ id }) => id)).size > 80);
  assert.ok(attempts.length > 1500, `${attempts.length}`);
});

test("no JSON type in a member of a body, or in place of the body, returns 500", async () => {
  assert.deepEqual(await failuresOf(attempts), []);
});
