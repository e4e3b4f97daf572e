/** `GET /metrics` for Prometheus: requests by route and status, and process metrics. */

import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import { type PathConfig, whenClosed } from "../http/index.ts";
import { AppError } from "../errors/index.ts";
import type { Figures } from "./metrics-sum.ts";
import { createMemory } from "../cache/index.ts";
import { release } from "../migrations/index.ts";

/** Lets each of several processes return the combined metrics of all processes. */
export interface SharedMetrics {
  /** Registers the function that reads this process's metrics. */
  readonly share: (own: () => Promise<Figures>) => void;
  /** Returns the metrics of all processes, added up, in Prometheus text format. */
  readonly ofAll: () => Promise<string>;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

const COMMON_METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** How long the metrics page is cached. */
const CACHED_ms = 1_000;

/**
 * Matches the RateLimit response header if the caller has used up its rate limit. In other 429
 * responses, requests remain or the header is missing.
 */
const NONE_LEFT = /;r=0;/;

/** Returns a registry with this process's memory, CPU time, event loop and version. */
export function processRegistry(): Registry {
  const register = new Registry();
  collectDefaultMetrics({ register, prefix: "leadport_" });
  const build = new Gauge({
    name: "leadport_build_info",
    help: "Always 1, labeled with the release of Leadport and the version of Node.js.",
    labelNames: ["version", "commit", "schema_version", "node"],
    aggregator: "max" as const,
    registers: [register],
  });
  const { version, commit, schema_version } = release();
  const { node } = process.versions;
  build.set({ version, commit: commit ?? "", schema_version, node }, 1);
  return register;
}

/** Returns a registry's current metrics, which can be added to those of other processes. */
export const figuresOf = async (register: Registry): Promise<Figures> =>
  register.getMetricsAsJSON();

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

const isToken = (authorization: string | undefined, token: string): boolean =>
  timingSafeEqual(digest(authorization ?? ""), digest(`Bearer ${token}`));

interface MetricsOptions {
  /** The bearer token that clients must send. If omitted, the page is public. */
  readonly token?: string | undefined;
  readonly shared?: SharedMetrics | undefined;
}

/** Counts requests and adds `GET /metrics` with the metrics of this process or of all processes. */
export function addMetrics(
  app: FastifyInstance,
  register: Registry,
  { token, shared }: MetricsOptions = {},
): void {
  shared?.share(() => figuresOf(register));
  const requests = new Histogram({
    name: "leadport_http_request_duration_seconds",
    help: "Time from the arrival of a request to the last byte of its response.",
    labelNames: ["method", "route", "status"],
    buckets: SECONDS,
    registers: [register],
  });
  const open = new Gauge({
    name: "leadport_http_requests_in_flight",
    help: "Requests that have been received but whose responses have not been sent completely.",
    registers: [register],
  });
  const refused = new Counter({
    name: "leadport_rate_limited_total",
    help: "Requests rejected because their credential exceeded its rate limit, by API.",
    labelNames: ["api"],
    registers: [register],
  });
  const close = (): void => open.dec();
  app.addHook("onRequest", (request, _reply, done) => {
    open.inc();
    // This also counts clients that disconnect in the middle of a response.
    whenClosed(request, close);
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const { statusCode } = reply;
    const { url, config } = request.routeOptions;
    // A request with a method that the path does not support belongs to no operation, even if it fails for another
    // reason.
    const isRefusedMethod = (config as PathConfig).refusesMethods === true;
    const route = (isRefusedMethod ? undefined : url) ?? "none";
    const status = String(statusCode);
    if (statusCode === 429 && NONE_LEFT.test(String(reply.getHeader("ratelimit")))) {
      refused.inc({ api: route.startsWith("/crm/partner/") ? "partner" : "crm" });
    }
    // Uncommon methods share one label, because clients can send any method to any path.
    const method = COMMON_METHODS.has(request.method) ? request.method : "other";
    requests.observe({ method, route, status }, reply.elapsedTime / 1000);
    done();
  });
  const clock = { now_ms: () => performance.now() };
  const pages = createMemory<Buffer>(clock, { for_ms: CACHED_ms, most: 1 });
  // Encode the page once and not separately for each client.
  const page = async () => Buffer.from(await (shared?.ofAll() ?? register.metrics()));
  app.get("/metrics", { schema: { hide: true } }, async ({ headers }, reply) => {
    if (token !== undefined && !isToken(headers.authorization, token)) {
      throw new AppError("unauthenticated", { headers: { "www-authenticate": "Bearer" } });
    }
    return reply.type(register.contentType).send(await pages.get("", page));
  });
}
