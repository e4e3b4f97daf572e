/**
 * Limits how many exports run concurrently, because each uses a database connection. Other exports wait for their turn.
 */

import { PARALLEL_MAX } from "../../platform/database/index.ts";
import { AppError } from "../../platform/errors/index.ts";

/** Maximum number of exports in this process that read the database concurrently. */
const RUNNING_MAX = PARALLEL_MAX;

interface Waiting {
  readonly tenantId: string;
  readonly begin: () => void;
}

export class ExportTurns {
  /** The tenants of running exports. */
  readonly #running: string[] = [];
  #waiting: Waiting[] = [];

  /**
   * Resolves when the export's turn starts, with the function that ends it. Exports of tenants that have no running
   * export come first. Otherwise, exports run in order of arrival. Rejects if `signal` is aborted first.
   */
  async take(tenantId: string, signal?: AbortSignal): Promise<() => void> {
    const { promise, resolve: begin, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { tenantId, begin };
    const leave = (): void => {
      this.#waiting = this.#waiting.filter((other) => other !== waiting);
      // The reader has disconnected.
      reject(new AppError("not_started"));
    };
    this.#waiting.push(waiting);
    if (signal?.aborted === true) leave();
    else signal?.addEventListener("abort", leave, { once: true });
    this.#next();
    await promise;
    signal?.removeEventListener("abort", leave);
    return () => {
      this.#running.splice(this.#running.indexOf(tenantId), 1);
      this.#next();
    };
  }

  #next(): void {
    while (this.#running.length < RUNNING_MAX) {
      const next =
        this.#waiting.find(({ tenantId }) => !this.#running.includes(tenantId)) ?? this.#waiting[0];
      if (next === undefined) return;
      this.#waiting = this.#waiting.filter((other) => other !== next);
      this.#running.push(next.tenantId);
      next.begin();
    }
  }
}
