/** A service for all tests in a file, which each create their own tenant. */

import { startApi, type Api, type ApiOptions } from "./api.ts";
import { allFiles, file } from "./started.ts";

export { file } from "./started.ts";

/** Starts a service with a new database for this file. */
export const fileApi = (options: ApiOptions = {}): Promise<Api> => startApi(file, options);

let shared: Promise<Api> | undefined;

/**
 * Returns the service that the test files of this process share. A test that depends on other tenants' data, or that
 * changes more than its own tenants, needs `fileApi`.
 *
 * The runner assigns a test to the suite in which the last awaited promise was created. So each call returns a new
 * promise.
 */
export async function sharedApi(): Promise<Api> {
  shared ??= startApi(allFiles);
  return await shared;
}
