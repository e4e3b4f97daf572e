/**
 * Limits the requests per minute from an address without a valid credential. Each process counts separately, in memory.
 * Requests are counted by network, so that a large IPv6 network gets only four times the limit. If addresses were
 * counted separately, it would get 65,536 times the limit.
 */

import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Clock } from "../platform/clock/index.ts";
import { AppError, asError } from "../platform/errors/index.ts";
import { type Network, networksOf } from "../platform/addresses/index.ts";
import { identityOf } from "../platform/http/index.ts";

const WINDOW_ms = 60_000;
/**
 * Maximum number of networks to count per window. This many networks take about 10 MB of memory. When there are more,
 * the oldest one is dropped.
 */
const NETWORKS_MAX = 100_000;
/** The limit for static files is higher by this factor, because opening the console loads about 50 of them. */
const FILES_ALLOWANCE = 10;
/** Maximum number and length of cached valid credentials. */
const VALID_MAX = 10_000;
const CREDENTIAL_MAX = 500;

/** Health checks are never rejected. Otherwise, a load balancer would stop sending requests to the process. */
const PROBES: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);
/** Matches the session cookies `leadport` and `leadport_partner`, with or without the prefix `__Host-`. */
const COOKIE = /(?:^|; ?)(?:__Host-)?leadport(?:_partner)?=[^;]*/;

/** Returns the credential in a request, valid or not. */
const credentialIn = ({ headers }: FastifyRequest): string | undefined =>
  headers.authorization ??
  (headers.cookie === undefined ? undefined : COOKIE.exec(headers.cookie)?.[0]);

/**
 * Counts requests by address in one-minute windows. `take` counts a request. If one of the address's networks has
 * reached its limit, `take` counts nothing, and both `take` and `waitOf` return the seconds until the next window
 * starts.
 */
export function createAddressCounts(clock: Clock, networksMax = NETWORKS_MAX) {
  const counts = new Map<string, number>();
  let window = 0;
  /** Whether at least one network has reached its limit in this window. */
  let isAnyOver = false;
  const isOver = (networks: readonly Network[], kind: string, limit: number): boolean =>
    networks.some(({ first, allowance }) => (counts.get(kind + first) ?? 0) >= limit * allowance);
  /** Starts a new window if the current one is over. Returns the seconds until the next one. */
  const enter = (): number => {
    const now_ms = clock.now_ms();
    const current = Math.floor(now_ms / WINDOW_ms);
    if (current !== window) {
      counts.clear();
      isAnyOver = false;
    }
    window = current;
    return Math.max(Math.ceil(((current + 1) * WINDOW_ms - now_ms) / 1000), 1);
  };
  return {
    take: (from: string, kind: string, limit: number): number | undefined => {
      const wait_s = enter();
      const networks = networksOf(from);
      if (isOver(networks, kind, limit)) return wait_s;
      for (const { first, allowance } of networks) {
        const known = counts.get(kind + first);
        if (known === undefined && counts.size >= networksMax) {
          const [oldest = ""] = counts.keys();
          counts.delete(oldest);
        }
        counts.set(kind + first, (known ?? 0) + 1);
        isAnyOver ||= (known ?? 0) + 1 >= limit * allowance;
      }
      return undefined;
    },
    waitOf: (from: string, kind: string, limit: number): number | undefined => {
      const wait_s = enter();
      return isAnyOver && isOver(networksOf(from), kind, limit) ? wait_s : undefined;
    },
    size: (): number => counts.size,
  };
}

type Counted = FastifyRequest & { isCounted?: true };

function refuse(wait_s: number | undefined): undefined {
  if (wait_s === undefined) return undefined;
  throw new AppError("too_many_anonymous", { headers: { "retry-after": String(wait_s) } });
}

export interface AnonymousLimit {
  /**
   * Counts a request that has a credential although the operation does not require one. Otherwise, clients could bypass
   * the limit by sending any credential. Throws 429 as for requests without a credential.
   */
  readonly countUnused: (request: FastifyRequest) => undefined;
}

/**
 * Rejects requests without a valid credential with 429 and `Retry-After` if their address has exceeded its limit per
 * minute. A limit of 0 means unlimited. Requests with invalid or unused credentials are counted when the response is
 * sent. Once an address has exceeded the limit, only credentials that were valid before are looked
 * up. As a result, users keep access even if someone at the same address is guessing credentials.
 */
export function addAnonymousLimit(
  app: FastifyInstance,
  { clock, limit }: { readonly clock: Clock; readonly limit: number },
): AnonymousLimit {
  if (limit === 0) return { countUnused: () => undefined };
  const counts = createAddressCounts(clock);
  const valid = new Set<string>();
  app.decorateRequest("isCounted", undefined);

  const partOf = ({ url }: FastifyRequest): readonly [kind: string, limit: number] => {
    if (url.startsWith("/assets/")) return ["files ", limit * FILES_ALLOWANCE];
    // Requests for metrics are counted separately, so that monitoring and other clients at the same address do not
    // affect each other.
    return [url === "/metrics" ? "metrics " : "", limit];
  };
  const count = (request: Counted): undefined => {
    if (PROBES.has(request.url)) return undefined;
    request.isCounted = true;
    return refuse(counts.take(request.ip, ...partOf(request)));
  };
  const check = (request: FastifyRequest, credential: string): undefined => {
    if (valid.has(credential) || PROBES.has(request.url)) return undefined;
    return refuse(counts.waitOf(request.ip, ...partOf(request)));
  };

  app.addHook("onRequest", (request, _reply, done) => {
    try {
      const credential = credentialIn(request);
      if (credential === undefined) count(request);
      else check(request, credential);
      done();
    } catch (error) {
      done(asError(error));
    }
  });
  app.addHook("onResponse", (request: Counted, { statusCode }, done) => {
    const credential = credentialIn(request);
    if (credential === undefined) return done();
    const isCounted = request.isCounted === true;
    const isValid = identityOf(request) !== undefined && statusCode !== 401;
    // The credential was revoked or has expired. A 401 to a counted request, such as a sign-in, does not show this.
    if (statusCode === 401 && !isCounted) valid.delete(credential);
    if (isValid && credential.length <= CREDENTIAL_MAX) {
      if (valid.size >= VALID_MAX) valid.clear();
      valid.add(credential);
    } else if (!isValid && !isCounted && !PROBES.has(request.url)) {
      counts.take(request.ip, ...partOf(request));
    }
    done();
  });
  return {
    countUnused: (request) => (credentialIn(request) === undefined ? undefined : count(request)),
  };
}
