/** Starts one PostgreSQL server before the test files run and stops it after the last one (see database.ts). */

import { join } from "node:path";
import { startTestServer, type TestServer } from "./server.ts";

let server: TestServer | undefined;

/**
 * Node's compile cache for the service and the tests. Every test file runs in its own process, and without the cache
 * each one would compile the same code again.
 */
const COMPILED = join(import.meta.dirname, "../../node_modules/.cache/leadport");

const BUILD = new URL("../../console/build.mjs", import.meta.url).href;

export async function globalSetup(): Promise<void> {
  // Build the pages from the current sources before the test files run in parallel.
  await import(BUILD);
  process.env["NODE_COMPILE_CACHE"] ??= COMPILED;
  if (process.env["TEST_DATABASE_URL"] !== undefined) return;
  server = await startTestServer();
  // The processes that run the test files inherit this variable.
  process.env["TEST_DATABASE_URL"] = server.url;
}

export async function globalTeardown(): Promise<void> {
  await server?.stop();
}
