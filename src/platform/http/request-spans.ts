/** Creates a server span for each HTTP request. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { whenClosed } from "./connections.ts";
import { identityOf, loggedPath } from "./request-log.ts";
import type { Span, Tracing } from "../tracing/index.ts";

/** Health checks and metrics are requested constantly and are not worth tracing. */
const UNTRACED: ReadonlySet<string | undefined> = new Set(["/healthz", "/readyz", "/metrics"]);

type Traced = FastifyRequest & { trace?: Span | undefined };

/** Creates a span for each request. Call this before adding routes. */
export function addTracing(app: FastifyInstance, tracing: Tracing): void {
  app.addHook("onRequest", (request, reply, done) => {
    const { url: route } = request.routeOptions;
    if (!UNTRACED.has(route)) {
      const { method, headers } = request;
      const { traceparent: sent } = headers;
      const traceparent = typeof sent === "string" ? sent : undefined;
      const name = route === undefined ? method : `${method} ${route}`;
      const span = tracing.start(name, { kind: "server", traceparent });
      const traced: Traced = request;
      traced.trace = span;
      if (span.isSampled) describe(request, reply, span);
    }
    done();
  });
}

function describe(request: FastifyRequest, reply: FastifyReply, span: Span): void {
  const { method, protocol, routeOptions } = request;
  span.set({
    "http.request.method": method,
    "url.scheme": protocol,
    "url.path": loggedPath(request),
    ...(routeOptions.url !== undefined && { "http.route": routeOptions.url }),
  });
  whenClosed(request, () => {
    const identity = identityOf(request);
    if (identity !== undefined) {
      const { tenant, credential } = identity;
      span.set({ "leadport.tenant": tenant, "leadport.credential": credential });
    }
    if (reply.raw.headersSent) span.set({ "http.response.status_code": reply.statusCode });
    if (reply.statusCode >= 500) span.fail(String(reply.statusCode));
    span.end();
  });
}

/** Returns the span of a request if its trace is sampled. */
export function spanOf({ trace }: Traced): Span | undefined {
  return trace?.isSampled === true ? trace : undefined;
}
