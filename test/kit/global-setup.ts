/**
 * Starts one PostgreSQL before the test files run and stops it after the last (see database.ts).
 */

import { startTestServer, type TestServer } from "./server.ts";

let server: TestServer | undefined;

export async function globalSetup(): Promise<void> {
  if (process.env["TEST_DATABASE_URL"] !== undefined) return;
  server = await startTestServer();
  // The processes that run the test files inherit it.
  process.env["TEST_DATABASE_URL"] = server.url;
}

export async function globalTeardown(): Promise<void> {
  await server?.stop();
}
