/** Controls access to a connection pool. A statement or transaction is passed to the pool only when a slot is free. */

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
  /** Returns an error if the work is no longer needed. */
  readonly refuse: (() => Error | undefined) | undefined;
  /** Whether the work writes nothing and can therefore be abandoned while it is running. */
  readonly isRead?: boolean;
}

export class Gate {
  readonly #scheduler: Scheduler;
  readonly #silence: () => Error | undefined;
  /** Reads in progress. */
  readonly #reads = new Map<Slot, Work>();
  #timer: NodeJS.Timeout | undefined;
  #isDispatching = false;

  /** `silence` returns an error while the database is not responding, and otherwise undefined. */
  constructor(slots: number, silence: () => Error | undefined) {
    this.#scheduler = new Scheduler({ ...LIMITS, slots });
    this.#silence = silence;
  }

  /** Starts `work` as soon as there is a slot for it. */
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

  /** Runs `work` with one slot. Its statements take no further slots. */
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
    this.#reads.delete(slot);
    this.#scheduler.leave(slot, performance.now());
    if (!this.#scheduler.isWaiting || this.#isDispatching) return;
    this.#isDispatching = true;
    // Runs after the pool has released the connection, so that the next statement can use it.
    queueMicrotask(() => {
      this.#isDispatching = false;
      this.#scheduler.dispatch(performance.now());
    });
  }

  /** Fails all waiting statements and running reads because the database is not responding. */
  giveUp(makeError: () => Error): void {
    this.#scheduler.clear((waiting) => waiting.end(makeError()));
    // The connections of these reads stay busy, so their slots are released only when the reads end.
    for (const { reject } of this.#reads.values()) reject(makeError());
    this.#reads.clear();
  }

  figures(): Figures {
    return this.#scheduler.figures(performance.now());
  }

  #begin(party: Party, work: Work, slot: Slot): void {
    noteStarted(party);
    if (work.isRead === true) this.#reads.set(slot, work);
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

/** Adds a party's waiting time to its trace. */
function noteWait({ span }: Party, start_ms: number): void {
  span?.start("wait for a connection", { start_ms }).end();
}

/** Returns the error for a request that has not started and whose client has closed the connection. */
const abandoned = (party: Party): Error | undefined =>
  party instanceof RequestParty && party.isClosed && !party.hasStarted
    ? new AppError("not_started", { headers: RETRY_SOON })
    : undefined;

const RETRY_SOON = { "retry-after": "2" };

const refusal = (why: Refusal): AppError =>
  new AppError(why === "tenant" ? "tenant_busy" : "service_busy", { headers: RETRY_SOON });
