/** The stored address of the running service, which commands read. */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { noteAddress, notedAddress } from "../../src/commands/service-address.ts";
import { temporaryFolder } from "../kit/started.ts";

test("commands find the address of a service that runs, and of no other", (t) => {
  const folder = temporaryFolder(t);
  assert.equal(notedAddress(folder), undefined);
  const forget = noteAddress(folder, "http://127.0.0.1:8099");
  assert.equal(notedAddress(folder), "http://127.0.0.1:8099");
  const forgetNext = noteAddress(folder, "https://[::1]:8100");
  forget();
  assert.equal(notedAddress(folder), "https://[::1]:8100");
  forgetNext();
  assert.equal(notedAddress(folder), undefined);
  // Simulate a file left behind by a service that was killed.
  writeFileSync(join(folder, "service-address"), "4194303 http://127.0.0.1:8099\n");
  assert.equal(notedAddress(folder), undefined);
});

test("without a data folder nothing is noted", () => {
  const folder = join(tmpdir(), "leadport-without-a-folder");
  noteAddress(folder, "http://127.0.0.1:8099")();
  assert.equal(notedAddress(folder), undefined);
});
