/**
 * Starts one PostgreSQL before the test files run and stops it after the last (see database.ts).
 */

import { join } from "node:path";
import { startTestServer, type TestServer } from "./server.ts";

let server: TestServer | undefined;

/** What Node compiled of the program and the tests: each file is a process that would do it again. */
const COMPILED = join(import.meta.dirname, "../../node_modules/.cache/leadport");

const BUILD = new URL("../../console/build.mjs", import.meta.url).href;

export async function globalSetup(): Promise<void> {
  // Before the files run side by side: the pages from the sources as they are.
  await import(BUILD);
  process.env["NODE_COMPILE_CACHE"] ??= COMPILED;
  if (process.env["TEST_DATABASE_URL"] !== undefined) return;
  server = await startTestServer();
  // The processes that run the test files inherit it.
  process.env["TEST_DATABASE_URL"] = server.url;
}

export async function globalTeardown(): Promise<void> {
  await server?.stop();
}
