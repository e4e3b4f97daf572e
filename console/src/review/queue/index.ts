/** The review queue: filters, rows, counts, arrivals. */

export { QueueFilters } from "./queue-filters.tsx";
export { QueueList } from "./queue-list.tsx";
export { QueueOrState } from "./queue-or-state.tsx";
export { useArrivals } from "./use-arrivals.ts";
export { useCounts } from "./use-counts.ts";
export { useQueue } from "./use-queue.ts";
