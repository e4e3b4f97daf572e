/**
 * Streams of a tenant read one after the other. A batch takes the event loop for some milliseconds, so all other
 * requests would wait for a batch of each stream that catches up.
 */

/** Runs work for a tenant when the work before it has ended, however it ended. */
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
