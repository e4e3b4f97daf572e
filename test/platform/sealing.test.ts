/** Caching the keys of many tenants does not change any result. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { createSealer } from "../../src/platform/secrets/sealing.ts";
import type { MasterKey } from "../../src/platform/secrets/index.ts";

test("digests and seals belong to their tenant, whatever other tenants were used between", () => {
  const keys: MasterKey = { all: [randomBytes(32), randomBytes(32)] };
  const sealer = createSealer(keys);
  const bytes = Buffer.from("POST /crm/leads");
  const first = sealer.digests("first", bytes);
  const sealed = sealer.seal("first", "ssn", "000-00-0000");
  assert.equal(first.length, 2);
  for (let tenant = 0; tenant < 10_050; tenant += 1) {
    const [one] = sealer.digests(`tenant ${tenant}`, bytes);
    if (tenant % 1000 === 0) {
      assert.notDeepEqual(one, first[0]);
      assert.deepEqual(sealer.digests("first", bytes), first);
    }
  }
  assert.deepEqual(sealer.digests("first", bytes), first);
  assert.deepEqual(createSealer(keys).digests("first", bytes), first);
  assert.equal(sealer.open("first", "ssn", sealed), "000-00-0000");
  assert.throws(() => sealer.open("second", "ssn", sealed), /No known master key can decrypt/);
});
