/** Exports that run at once. Each holds a connection to the database; the others wait for their turn. */

import { BESIDES_MAX } from "../../platform/database/index.ts";
import { AppError } from "../../platform/errors/index.ts";

/** Exports of this process that read the database at once. */
const RUNNING_MAX = BESIDES_MAX;

interface Waiting {
  readonly tenantId: string;
  readonly begin: () => void;
}

export class ExportTurns {
  /** The tenants of the exports that run. */
  readonly #running: string[] = [];
  #waiting: Waiting[] = [];

  /**
   * Settles with the end of the turn when it begins. A tenant with no export running comes before one that
   * has one; otherwise the order of arrival counts. Rejects if `signal` is aborted first.
   */
  async take(tenantId: string, signal?: AbortSignal): Promise<() => void> {
    const { promise, resolve: begin, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { tenantId, begin };
    const leave = (): void => {
      this.#waiting = this.#waiting.filter((other) => other !== waiting);
      // Nobody reads the response any more.
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
