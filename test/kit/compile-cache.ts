/**
 * Node's compile cache for the service and the tests. Every test file runs in its own process, and without the cache
 * each one would compile the same code again.
 */

import { join } from "node:path";

const COMPILED = join(import.meta.dirname, "../../node_modules/.cache/leadport");

/** Makes the processes that this one starts use the cache. */
export function cacheCompiledCode(): void {
  process.env["NODE_COMPILE_CACHE"] ??= COMPILED;
}
