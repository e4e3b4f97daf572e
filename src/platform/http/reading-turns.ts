/**
 * Makes a tenant's streams take turns reading. A batch blocks the event loop for a few milliseconds, so concurrent
 * batches from many streams would delay all other requests.
 */

/** Runs work for a tenant once the tenant's earlier work has succeeded or failed. */
export type InTurn = <T>(tenantId: string, work: () => Promise<T>) => Promise<T>;

export function createReadingTurns(): InTurn {
  const newest = new Map<string, Promise<unknown>>();
  return async (tenantId, work) => {
    const turn = (newest.get(tenantId) ?? Promise.resolve()).then(work, work);
    newest.set(tenantId, turn);
    try {
      return await turn;
    } finally {
      if (newest.get(tenantId) === turn) newest.delete(tenantId);
    }
  };
}
