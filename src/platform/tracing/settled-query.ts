/** What the driver's query shows of itself, and how to learn that it is settled. */

export interface SettledQuery {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/**
 * Calls `before` when a query is settled, and before the code that awaits it continues; with the error if it failed.
 *
 * The functions are assigned by way of variables. V8 allocates a function that is written where it is
 * assigned to a property among the old objects. There it keeps all that it reaches, such as the rows of the
 * result, until the next major collection.
 */
export function beforeSettled(query: SettledQuery, before: (error?: Error) => void): void {
  const { resolve, reject } = query;
  const settle = (result: unknown): void => {
    before();
    resolve(result);
  };
  const fail = (error: Error): void => {
    before(error);
    reject(error);
  };
  query.resolve = settle;
  query.reject = fail;
}
