/**
 * The gate in front of a pool: a statement or transaction is passed to the driver when it has a slot.
 * The driver itself would send it behind whatever the least recently used connection is busy with, for
 * however long that takes.
 */

import { AppError } from "../errors/index.ts";
import { pastGates, RequestParty } from "./party.ts";
import type { Party, Refusal, Slot } from "./flows.ts";
import { Scheduler, type Figures, type Limits } from "./scheduler.ts";

const LIMITS: Omit<Limits, "slots"> = {
  waitingOfTenantMax: 500,
  waitingMax: 5000,
  wait_ms: 5000,
};
const SWEEP_ms = 100;

interface Work {
  readonly start: (slot: Slot) => void;
  readonly reject: (error: Error) => void;
  /** Why it need not be started any more. */
  readonly refuse: (() => Error | undefined) | undefined;
  /** It may be given up while it runs: nothing is written. */
  readonly isRead?: boolean;
}

export class Gate {
  readonly #scheduler: Scheduler;
  readonly #silence: () => Error | undefined;
  /**
   * The reads that have been started. No Map: V8 allocates each new table of an old Map or Set among the
   * old objects, where the table keeps what was in it, here the rows, until the next major collection.
   */
  readonly #reads: { readonly slot: Slot; readonly work: Work }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isDispatching = false;

  /** `silence` returns why nothing can be started, while the database does not respond. */
  constructor(slots: number, silence: () => Error | undefined) {
    this.#scheduler = new Scheduler({ ...LIMITS, slots });
    this.#silence = silence;
  }

  /** Starts `work` at once if there is a slot for it, and otherwise when there is one. */
  enter(party: Party, work: Work): void {
    const error = this.#silence();
    if (error !== undefined) {
      work.reject(error);
      return;
    }
    const now_ms = performance.now();
    const slot = this.#scheduler.take(party, now_ms);
    if (slot !== undefined) this.#begin(party, work, slot);
    else this.#wait(party, work, now_ms);
  }

  /** Runs `work` with a slot; its statements take no others. */
  async hold<T>(
    party: Party,
    work: () => Promise<T>,
    refuse?: () => Error | undefined,
  ): Promise<T> {
    const slot = await new Promise<Slot>((start, reject) => {
      this.enter(party, { start, reject, refuse });
    });
    try {
      return await pastGates(party, work);
    } finally {
      this.leave(slot);
    }
  }

  leave(slot: Slot): void {
    const at = this.#reads.findIndex((read) => read.slot === slot);
    if (at >= 0) this.#reads.splice(at, 1);
    this.#scheduler.leave(slot, performance.now());
    if (!this.#scheduler.isWaiting || this.#isDispatching) return;
    this.#isDispatching = true;
    // When the driver has put the connection back, so that the next statement finds it.
    queueMicrotask(() => {
      this.#isDispatching = false;
      this.#scheduler.dispatch(performance.now());
    });
  }

  /** Fails all that wait or read: the database does not respond. */
  giveUp(makeError: () => Error): void {
    this.#scheduler.clear((waiting) => waiting.end(makeError()));
    // Their connections stay busy: the slots are given back when the driver is done with them.
    for (const { work } of this.#reads.splice(0)) work.reject(makeError());
  }

  figures(): Figures {
    return this.#scheduler.figures(performance.now());
  }

  #begin(party: Party, work: Work, slot: Slot): void {
    noteStarted(party);
    if (work.isRead === true) this.#reads.push({ slot, work });
    work.start(slot);
  }

  #wait(party: Party, work: Work, now_ms: number): void {
    this.#scheduler.wait(
      party,
      {
        start: (slot) => {
          noteWait(party, now_ms);
          this.#begin(party, work, slot);
        },
        refuse: (why) => work.reject(refusal(why)),
        end: work.reject,
        drop: () => {
          const error = work.refuse?.() ?? abandoned(party);
          if (error !== undefined) work.reject(error);
          return error !== undefined;
        },
      },
      now_ms,
    );
    this.#timer ??= setInterval(() => {
      this.#scheduler.sweep(performance.now());
      if (this.#scheduler.isWaiting) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    }, SWEEP_ms).unref();
  }
}

function noteStarted(party: Party): void {
  if (party instanceof RequestParty) party.hasStarted = true;
}

/** Shows in its trace for how long a party has waited. */
function noteWait({ span }: Party, start_ms: number): void {
  span?.start("wait for a connection", { start_ms }).end();
}

/** Nobody waits for the response to a request that has not started and whose connection is closed. */
const abandoned = (party: Party): Error | undefined =>
  party instanceof RequestParty && party.isClosed && !party.hasStarted
    ? new AppError("not_started", { headers: RETRY_SOON })
    : undefined;

const RETRY_SOON = { "retry-after": "2" };

const refusal = (why: Refusal): AppError =>
  new AppError(why === "tenant" ? "tenant_busy" : "service_busy", { headers: RETRY_SOON });
