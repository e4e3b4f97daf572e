/** Places of a process for long requests: a credential and a tenant cannot take all of them. */

import { finished } from "node:stream";
import type { FastifyReply } from "fastify";
import { AppError } from "../errors/index.ts";

export interface PlaceHolder {
  readonly tenant: { readonly id: string };
  readonly credential: { readonly kind: string; readonly id: string };
}

export type PlaceLimits = Readonly<Record<"credential" | "tenant" | "process", number>>;

const RETRY_AFTER_s = 5;

export class Places {
  readonly #what: string;
  readonly #limits: PlaceLimits;
  readonly #taken = new Map<string, number>();

  /** `what` names the requests in error messages, in the plural: "exports". */
  constructor(what: string, limits: PlaceLimits) {
    this.#what = what;
    this.#limits = limits;
  }

  /** Takes a place until the response has ended. Throws 429 with `Retry-After` if none is free. */
  takeFor({ tenant, credential }: PlaceHolder, reply: FastifyReply): void {
    const { kind, id } = credential;
    const limits = this.#limits;
    const shares = [
      { key: `${kind} ${id}`, max: limits.credential, whose: `This ${kind}` },
      { key: `tenant ${tenant.id}`, max: limits.tenant, whose: "This tenant" },
      { key: "process", max: limits.process, whose: "The service" },
    ];
    for (const { key, max, whose } of shares) {
      if ((this.#taken.get(key) ?? 0) >= max) {
        throw tooMany(`${whose} has ${max} ${this.#what} running already`);
      }
    }
    for (const { key } of shares) this.#taken.set(key, (this.#taken.get(key) ?? 0) + 1);
    // Also called if the reader has left by now.
    finished(reply.raw, () => {
      for (const { key } of shares) this.#leave(key);
    });
  }

  #leave(key: string): void {
    const left = (this.#taken.get(key) ?? 1) - 1;
    if (left > 0) this.#taken.set(key, left);
    else this.#taken.delete(key);
  }
}

const tooMany = (what: string): AppError =>
  new AppError("too_many_requests", {
    detail: `${what}; wait until one has ended`,
    headers: { "retry-after": String(RETRY_AFTER_s) },
  });
