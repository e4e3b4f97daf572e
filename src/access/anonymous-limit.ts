/**
 * How many requests without a credential an address may make in a minute. Counted in memory, by each
 * process for itself; addresses are counted in networks, so that a large IPv6 network gets four times the
 * limit and not 65,536 times.
 */

import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Clock } from "../platform/clock.ts";
import { AppError } from "../platform/errors.ts";
import { networksOf } from "./networks.ts";

const WINDOW_ms = 60_000;
/** Networks that are counted in a window; beyond, those seen first are forgotten. About 10 MB. */
const NETWORKS_MAX = 100_000;
/** Opening the console loads about 50 files, which cost little: they have a larger allowance of their own. */
const FILES_ALLOWANCE = 10;

/** Never refused: a load balancer would take the service out. */
const PROBES: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);
/** Credentials that pages send: `leadport` and `leadport_partner`, with `__Host-` or without. */
const COOKIE = /(?:^|; ?)(?:__Host-)?leadport(?:_partner)?=./;

const isCredentialed = ({ headers }: FastifyRequest): boolean =>
  headers.authorization !== undefined ||
  (headers.cookie !== undefined && COOKIE.test(headers.cookie));

/**
 * Counts by address in windows of a minute. `take` counts one, or returns after how many seconds the next
 * window begins, if one of the networks of the address has reached its limit.
 */
export function createAddressCounts(clock: Clock, networksMax = NETWORKS_MAX) {
  const counts = new Map<string, number>();
  let window = 0;
  return {
    take: (from: string, kind: string, limit: number): number | undefined => {
      const now_ms = clock.now_ms();
      const current = Math.floor(now_ms / WINDOW_ms);
      if (current !== window) counts.clear();
      window = current;
      const networks = networksOf(from);
      const isOver = networks.some(
        ({ first, allowance }) => (counts.get(kind + first) ?? 0) >= limit * allowance,
      );
      if (isOver) return Math.max(Math.ceil(((current + 1) * WINDOW_ms - now_ms) / 1000), 1);
      for (const { first } of networks) {
        const known = counts.get(kind + first);
        if (known === undefined && counts.size >= networksMax) {
          counts.delete(counts.keys().next().value as string);
        }
        counts.set(kind + first, (known ?? 0) + 1);
      }
      return undefined;
    },
    size: (): number => counts.size,
  };
}

export interface AnonymousLimit {
  /**
   * Counts a request that sends a credential to an operation which takes none: the header must not lift
   * the limit. Throws 429 as for requests without one.
   */
  readonly countUnused: (request: FastifyRequest) => undefined;
}

/**
 * Refuses requests without a credential beyond a limit per address and minute, with 429 and
 * `Retry-After`; 0 is no limit.
 */
export function addAnonymousLimit(
  app: FastifyInstance,
  { clock, limit }: { readonly clock: Clock; readonly limit: number },
): AnonymousLimit {
  if (limit === 0) return { countUnused: () => undefined };
  const counts = createAddressCounts(clock);

  const count = ({ url, ip }: FastifyRequest): undefined => {
    if (PROBES.has(url)) return undefined;
    // What a monitoring system reads is not used up by others, nor the reverse.
    const isFile = url.startsWith("/assets/");
    const kind = isFile ? "files " : url === "/metrics" ? "metrics " : "";
    const wait_s = counts.take(ip, kind, isFile ? limit * FILES_ALLOWANCE : limit);
    if (wait_s === undefined) return undefined;
    throw new AppError("too_many_anonymous", { headers: { "retry-after": String(wait_s) } });
  };

  app.addHook("onRequest", (request, _reply, done) => {
    try {
      if (!isCredentialed(request)) count(request);
      done();
    } catch (error) {
      done(error as Error);
    }
  });
  return {
    countUnused: (request) => (isCredentialed(request) ? count(request) : undefined),
  };
}
