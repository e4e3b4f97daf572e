/**
 * Starts one PostgreSQL before the test files run and stops it after the last (see database.ts).
 */

import { join } from "node:path";
import { startTestServer, type TestServer } from "./server.ts";

let server: TestServer | undefined;

/**
 * Node's compile cache of the program and the tests: otherwise each file, being a process, compiles them
 * again.
 */
const COMPILED = join(import.meta.dirname, "../../node_modules/.cache/leadport");

const BUILD = new URL("../../console/build.mjs", import.meta.url).href;

export async function globalSetup(): Promise<void> {
  // Before the files run in parallel: builds the pages from the current sources.
  await import(BUILD);
  process.env["NODE_COMPILE_CACHE"] ??= COMPILED;
  if (process.env["TEST_DATABASE_URL"] !== undefined) return;
  server = await startTestServer();
  // Inherited by the processes that run the test files.
  process.env["TEST_DATABASE_URL"] = server.url;
}

export async function globalTeardown(): Promise<void> {
  await server?.stop();
}
