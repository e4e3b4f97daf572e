/** One API for all tests in a file: it starts once, and each test creates its own tenant. */

import { startApi, type ApiOptions } from "./api.ts";
import { file } from "./started.ts";

/** Starts the real service on a fresh database. */
export const fileApi = (options: ApiOptions = {}) => startApi(file, options);

export { file } from "./started.ts";
