/** The maximum rate of a backup: docs/configuration.md (`BACKUP_MAX_RATE`). */

import assert from "node:assert/strict";
import { test } from "node:test";
import { createPace } from "../../src/backup/contents/index.ts";

test("files that are copied in parallel wait until all of their bytes are within the rate", () => {
  const pace = createPace(1000);
  assert.equal(pace(500, 0), 500);
  assert.equal(pace(500, 0), 1000);
  assert.equal(pace(500, 400), 1100);
});

test("time without copying is not saved up", () => {
  const pace = createPace(1000);
  assert.equal(pace(100, 0), 100);
  assert.equal(pace(100, 60_000), 100);
});

test("a rate of 0 never waits", () => {
  const pace = createPace(0);
  assert.equal(pace(1e12, 0), 0);
});
