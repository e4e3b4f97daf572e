/** Caches of values in memory. */

export { createMemory, type Memory, once, remember } from "./cache.ts";
