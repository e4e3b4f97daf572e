/** One API for all the tests of a file: it starts once, and each test brings its own tenant. */

import type { TestContext } from "node:test";
import { startApi, type ApiOptions } from "./api.ts";
import { closeBeforeServer } from "./database.ts";

/** Ends with the file, as a test's own `after` ends with the test. */
export const file = { after: closeBeforeServer } as unknown as TestContext;

/** The real service on a fresh database. */
export const fileApi = (options: ApiOptions = {}) => startApi(file, options);
