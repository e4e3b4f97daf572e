/** Limits concurrent long requests per credential, per tenant and in total. */

import { finished } from "node:stream";
import type { FastifyReply } from "fastify";
import { AppError } from "../errors/index.ts";

export interface LimitedCaller {
  readonly tenant: { readonly id: string };
  readonly credential: { readonly kind: string; readonly id: string };
}

export type ConcurrencyLimits = Readonly<Record<"credential" | "tenant" | "process", number>>;

const RETRY_AFTER_s = 5;

export class ConcurrencyLimit {
  readonly #noun: string;
  readonly #limits: ConcurrencyLimits;
  readonly #running = new Map<string, number>();

  /** `noun` is the plural noun for error messages, such as "exports". */
  constructor(noun: string, limits: ConcurrencyLimits) {
    this.#noun = noun;
    this.#limits = limits;
  }

  /** Counts a request until its response has ended. Throws 429 with `Retry-After` if a limit has been reached. */
  enter({ tenant, credential }: LimitedCaller, reply: FastifyReply): void {
    const { kind, id } = credential;
    const limits = this.#limits;
    const shares = [
      { key: `${kind} ${id}`, max: limits.credential, owner: `This ${kind}` },
      { key: `tenant ${tenant.id}`, max: limits.tenant, owner: "This tenant" },
      { key: "process", max: limits.process, owner: "The service" },
    ];
    for (const { key, max, owner } of shares) {
      if ((this.#running.get(key) ?? 0) >= max) {
        throw tooMany(`${owner} already has ${max} ${this.#noun} running`);
      }
    }
    for (const { key } of shares) this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
    // Also called if the client has disconnected in the meantime.
    finished(reply.raw, () => {
      for (const { key } of shares) this.#leave(key);
    });
  }

  #leave(key: string): void {
    const remaining = (this.#running.get(key) ?? 1) - 1;
    if (remaining > 0) this.#running.set(key, remaining);
    else this.#running.delete(key);
  }
}

const tooMany = (reason: string): AppError =>
  new AppError("too_many_requests", {
    detail: `${reason}; wait until one has ended`,
    headers: { "retry-after": String(RETRY_AFTER_s) },
  });
