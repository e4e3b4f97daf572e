/** What Prometheus asks for at GET /metrics: requests by route and status, and the process. */

import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import { type PathConfig, whenClosed } from "../http/index.ts";
import { AppError } from "../errors/index.ts";
import type { Figures } from "./metrics-sum.ts";
import { createMemory } from "../clock/index.ts";
import { VERSION } from "../storage/index.ts";

/** How a process that is one of several answers for all of them. */
export interface SharedMetrics {
  /** Is given where this process's own figures are read. */
  readonly share: (own: () => Promise<Figures>) => void;
  /** The figures of all processes together, in Prometheus' text format. */
  readonly ofAll: () => Promise<string>;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

const USUAL_METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** For so long the page is not put together again. */
const CACHED_ms = 1_000;

/** What a refused request is told of its limit; other 429s have requests left, or no limit. */
const NONE_LEFT = /;r=0;/;

/** Memory, processor time, event loop and version of this process. */
export function processRegistry(): Registry {
  const register = new Registry();
  collectDefaultMetrics({ register, prefix: "leadport_" });
  const build = new Gauge({
    name: "leadport_build_info",
    help: "1, with the version of Leadport and of Node.",
    labelNames: ["version", "node"],
    aggregator: "max" as const,
    registers: [register],
  });
  build.set({ version: VERSION, node: process.versions.node }, 1);
  return register;
}

/** What a registry holds now, to be added to what other processes hold. */
export const figuresOf = async (register: Registry): Promise<Figures> =>
  register.getMetricsAsJSON();

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

const isToken = (authorization: string | undefined, token: string): boolean =>
  timingSafeEqual(digest(authorization ?? ""), digest(`Bearer ${token}`));

interface MetricsOptions {
  /** What a reader of the page must send as a bearer token; anyone may read it without. */
  readonly token?: string | undefined;
  readonly shared?: SharedMetrics | undefined;
}

/** Counts requests and adds `GET /metrics`: all of the registry, or the sums of all processes. */
export function addMetrics(
  app: FastifyInstance,
  register: Registry,
  { token, shared }: MetricsOptions = {},
): void {
  shared?.share(() => figuresOf(register));
  const requests = new Histogram({
    name: "leadport_http_request_duration_seconds",
    help: "Time from a request's arrival to its answer's last byte.",
    labelNames: ["method", "route", "status"],
    buckets: SECONDS,
    registers: [register],
  });
  const open = new Gauge({
    name: "leadport_http_requests_in_flight",
    help: "Requests that have arrived and are not yet answered to the last byte.",
    registers: [register],
  });
  const refused = new Counter({
    name: "leadport_rate_limited_total",
    help: "Requests that were refused because their credential had none left, by API.",
    labelNames: ["api"],
    registers: [register],
  });
  const left = (): void => open.dec();
  app.addHook("onRequest", (request, _reply, done) => {
    open.inc();
    // Closed, not answered: a reader who hangs up in the middle is gone too.
    whenClosed(request, left);
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const { statusCode } = reply;
    const { url, config } = request.routeOptions;
    // A method that a path does not take belongs to no operation, also if it is refused for another reason.
    const isRefusedMethod = (config as PathConfig).refusesMethods === true;
    const route = (isRefusedMethod ? undefined : url) ?? "none";
    const status = String(statusCode);
    if (statusCode === 429 && NONE_LEFT.test(String(reply.getHeader("ratelimit")))) {
      refused.inc({ api: route.startsWith("/crm/partner/") ? "partner" : "crm" });
    }
    // Odd methods share a label: anyone may send any of them to any path.
    const method = USUAL_METHODS.has(request.method) ? request.method : "other";
    requests.observe({ method, route, status }, reply.elapsedTime / 1000);
    done();
  });
  const clock = { now_ms: () => performance.now() };
  const pages = createMemory<Buffer>(clock, { for_ms: CACHED_ms, most: 1 });
  // Encoded once, not again for each reader.
  const page = async () => Buffer.from(await (shared?.ofAll() ?? register.metrics()));
  app.get("/metrics", { schema: { hide: true } }, async ({ headers }, reply) => {
    if (token !== undefined && !isToken(headers.authorization, token)) {
      throw new AppError("unauthenticated", { headers: { "www-authenticate": "Bearer" } });
    }
    return reply.type(register.contentType).send(await pages.get("", page));
  });
}
