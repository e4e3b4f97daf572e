/** One API for all the tests of a file: it starts once, and each test brings its own tenant. */

import { after, type TestContext } from "node:test";
import type { ApiOptions } from "../kit/api.ts";

const closers: (() => unknown)[] = [];

// Said before the kit is imported, so that the API is closed before the kit stops its database.
after(async () => {
  for (const close of closers.toReversed()) await close();
});

/** Ends with the file, as a test's own `after` ends with the test. */
export const file = {
  after: (close: () => unknown) => void closers.push(close),
} as unknown as TestContext;

/** The real service on a fresh database. */
export async function fileApi(options: ApiOptions = {}) {
  const { startApi } = await import("../kit/api.ts");
  return startApi(file, options);
}
