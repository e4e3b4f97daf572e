/** Starts one PostgreSQL server before the test files run and stops it after the last one (see database.ts). */

import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cacheCompiledCode } from "./compile-cache.ts";
import { NOT_DURABLE, startTestServer, type TestServer } from "./server.ts";

let server: TestServer | undefined;

const BUILD = new URL("../../console/build.mjs", import.meta.url).href;

export async function globalSetup(): Promise<void> {
  // Build the pages from the current sources before the test files run in parallel.
  await import(BUILD);
  cacheCompiledCode();
  // For the installation that the tests of all processes copy (test/running/leadport.ts).
  const folder = mkdtempSync(join(tmpdir(), "leadport-test-"));
  chmodSync(folder, 0o711);
  process.env["TEST_INSTALLATION"] = folder;
  if (process.env["TEST_DATABASE_URL"] !== undefined) return;
  server = await startTestServer(NOT_DURABLE);
  // The processes that run the test files inherit this variable.
  process.env["TEST_DATABASE_URL"] = server.url;
}

export async function globalTeardown(): Promise<void> {
  await server?.stop();
  rmSync(process.env["TEST_INSTALLATION"] ?? "", { recursive: true, force: true });
}
