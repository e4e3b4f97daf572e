/** Listens for notifications on a separate session, which is opened again when it is lost. */

import { setTimeout as delay } from "node:timers/promises";
import type { PoolOptions } from "./pool.ts";
import { ended, Session } from "./session.ts";
import { StatementQuery } from "./statement-query.ts";
import { parseTarget, type Target, withoutTls } from "./target.ts";

const RECONNECT_AFTER_ms = 1_000;

export class Listener {
  readonly #options: PoolOptions;
  readonly #channel: string;
  readonly #onNotice: () => void;
  readonly #ending = new AbortController();
  #target: Target;
  #session: Session | undefined;

  /** Calls `onNotice` for each notification, and when it begins to listen, because earlier notifications were missed. */
  constructor(options: PoolOptions, channel: string, onNotice: () => void) {
    this.#options = options;
    this.#channel = channel;
    this.#onNotice = onNotice;
    this.#target = parseTarget(options.url);
    void this.#run();
  }

  end(): void {
    this.#ending.abort();
    this.#session?.drop(ended());
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      await this.#listen().catch((error: Error) => {
        this.#target = withoutTls(this.#target, error) ?? this.#target;
      });
      await delay(RECONNECT_AFTER_ms, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Listens until the session is lost. */
  async #listen(): Promise<void> {
    const { address, settings = {}, connect_ms } = this.#options;
    const lost = Promise.withResolvers<void>();
    const session = new Session(
      { target: this.#target, address, settings },
      { freed: () => undefined, ended: () => lost.resolve() },
    );
    this.#session = session;
    session.onNotification(this.#onNotice);
    try {
      await session.open(0, connect_ms);
      const listening = new StatementQuery({ text: `listen ${this.#channel}`, values: [] });
      session.send(listening);
      await listening.result;
      this.#onNotice();
      await lost.promise;
    } finally {
      session.drop(ended());
    }
  }
}
