/** The server span of each HTTP request. */

import type { FastifyInstance, FastifyRequest } from "fastify";
import { whenClosed } from "../connections.ts";
import { identityOf, loggedPath } from "../request-log.ts";
import type { Span, Tracing } from "./span.ts";

/** Health checks and metrics are asked for all the time, and tell nothing of anyone's work. */
const UNTRACED: ReadonlySet<string | undefined> = new Set(["/healthz", "/readyz", "/metrics"]);

type Traced = FastifyRequest & { trace?: Span | undefined };

/** Gives each request of an app a span. To be called before routes are added. */
export function addTracing(app: FastifyInstance, tracing: Tracing): void {
  app.addHook("onRequest", (request, reply, done) => {
    const { method, routeOptions, headers, protocol } = request;
    const { url: route } = routeOptions;
    if (UNTRACED.has(route)) {
      done();
      return;
    }
    const { traceparent } = headers;
    const span = tracing.start(route === undefined ? method : `${method} ${route}`, {
      kind: "server",
      traceparent: typeof traceparent === "string" ? traceparent : undefined,
      attributes: {
        "http.request.method": method,
        "url.scheme": protocol,
        "url.path": loggedPath(request),
        ...(route !== undefined && { "http.route": route }),
      },
    });
    (request as Traced).trace = span;
    whenClosed(request, () => {
      const { tenant, credential } = identityOf(request) ?? {};
      if (tenant !== undefined) span.set({ "leadport.tenant": tenant });
      if (credential !== undefined) span.set({ "leadport.credential": credential });
      if (reply.raw.headersSent) span.set({ "http.response.status_code": reply.statusCode });
      if (reply.statusCode >= 500) span.fail(String(reply.statusCode));
      span.end();
    });
    done();
  });
}

/** The span of a request, if its trace is sent. */
export function spanOf(request: FastifyRequest): Span | undefined {
  const { trace } = request as Traced;
  return trace?.isSampled === true ? trace : undefined;
}
