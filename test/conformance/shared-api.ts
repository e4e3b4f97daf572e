/** One API for all the tests of a file: it starts once, each test brings its own tenant. */
import { after, type TestContext } from "node:test";

const closers: (() => unknown)[] = [];

// Said before the kit is imported, so that the API is closed before the kit stops its database.
after(async () => {
  for (const close of closers.toReversed()) await close();
});

/** The real service on a fresh database, closed when the file has run. */
export async function sharedApi() {
  const { startApi } = await import("../kit/api.ts");
  const file = { after: (close: () => unknown) => void closers.push(close) };
  return startApi(file as unknown as TestContext);
}
