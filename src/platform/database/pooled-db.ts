/**
 * The handle of a pool. It passes statements and transactions through the pool's gate, records their spans, and refuses
 * to start them if the request they belong to has been abandoned.
 */

import {
  currentSpan,
  type Gate,
  inTransactionSpan,
  type Party,
  partyAtGate,
  type Slot,
} from "../admission/index.ts";
import { Listener, Pool, type PoolOptions, type Query } from "../pool/index.ts";
import { notedTransaction, type Span, traceStatement } from "../tracing/index.ts";
import type { Watch } from "./database-watch.ts";
import { runTransaction } from "./transaction.ts";
import type { Db, Guard, Reserved, SeparateOptions, Tx } from "./tx.ts";

interface Parts {
  readonly pool: Pool;
  /** Default: statements need no slot, and have no spans. */
  readonly gate?: Gate;
  readonly watch?: Watch;
  readonly reads?: Db;
  readonly guard?: Guard;
}

export class PooledDb implements Db {
  readonly isTransaction = false;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get reads(): Db {
    return this.#parts.reads ?? this;
  }

  get guard(): Guard | undefined {
    return this.#parts.guard;
  }

  guardedBy(guard: Guard): Db {
    return new PooledDb({ ...this.#parts, guard });
  }

  submit(query: Query): void {
    const { pool, gate, guard } = this.#parts;
    query.refuse = guard?.refuse;
    if (gate === undefined) {
      pool.submit(query);
      return;
    }
    const party = partyAtGate();
    if (party === undefined) {
      this.#send(query, currentSpan());
      return;
    }
    gate.enter(party, {
      start: (slot) => this.#sendWith(query, gate, slot, party.span),
      reject: (error) => query.abandon(error),
      refuse: query.refuse,
      isRead: query.isRead,
    });
  }

  #sendWith(query: Query, gate: Gate, slot: Slot, span: Span | undefined): void {
    query.onEnd(() => gate.leave(slot));
    this.#send(query, span);
  }

  #send(query: Query, span: Span | undefined): void {
    if (span !== undefined) traceStatement(query, span);
    this.#parts.pool.submit(query);
  }

  begin<T>(mode: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    const { gate, guard } = this.#parts;
    const started = (tx: Tx): Promise<T> => {
      guard?.start();
      return work(tx);
    };
    const begin = (part: (tx: Tx) => Promise<T>): Promise<T> => {
      if (gate === undefined) return this.#transact(mode, part);
      const inSpan = () => inTransactionSpan(() => this.#transact(mode, part));
      const party = partyAtGate();
      return party === undefined ? inSpan() : gate.hold(party, inSpan, guard?.refuse);
    };
    return notedTransaction(started, begin);
  }

  async #transact<T>(mode: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    const { pool, guard } = this.#parts;
    const session = await pool.acquire(guard?.refuse);
    try {
      return await runTransaction(session, mode, work);
    } finally {
      pool.release(session);
    }
  }

  holding<T>(party: Party, part: () => Promise<T>): Promise<T> {
    const { gate } = this.#parts;
    return gate === undefined ? part() : gate.hold(party, part);
  }

  async reserve(): Promise<Reserved> {
    const { pool } = this.#parts;
    const session = await pool.acquire();
    return {
      submit: (query) => session.send(query),
      release: () => pool.release(session),
    };
  }

  separate({ settings, rewrite, idle_ms, isWatched = true }: SeparateOptions): Db {
    const { pool, watch } = this.#parts;
    const { url, address, connect_ms } = pool.options;
    const single = new Pool({
      url,
      address,
      connect_ms,
      rewrite,
      settings: { ...pool.options.settings, ...settings },
      ...(idle_ms !== undefined && { idle_ms }),
    });
    if (isWatched) watch?.add(single);
    return new PooledDb({ pool: single, ...(watch && { watch }) });
  }

  listen(channel: string, onNotice: () => void): Listener {
    return new Listener(this.#parts.pool.options, channel, onNotice);
  }

  async end(options?: { readonly timeout?: number }): Promise<void> {
    const { pool, watch } = this.#parts;
    await pool.end(options);
    watch?.remove(pool);
  }
}

/** Opens a pool without a gate and without a watch, for commands and tests. The default is a single connection. */
export const openPool = (options: PoolOptions): Db => new PooledDb({ pool: new Pool(options) });
