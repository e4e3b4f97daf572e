/** Starts one PostgreSQL server before the test files run and stops it after the last one (see database.ts). */

import { join } from "node:path";
import { startTestServer, type TestServer } from "./server.ts";

let server: TestServer | undefined;

/**
 * Node's compile cache for the program and the tests. Without it, each file, which is a separate
 * process, would compile them again.
 */
const COMPILED = join(import.meta.dirname, "../../node_modules/.cache/leadport");

const BUILD = new URL("../../console/build.mjs", import.meta.url).href;

export async function globalSetup(): Promise<void> {
  // Builds the pages from the current sources, before the files run in parallel.
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
