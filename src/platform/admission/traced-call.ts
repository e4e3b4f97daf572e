/**
 * Spans of outgoing requests. The path and query of a webhook URL can contain secrets and personal data, so
 * spans show only the host. `traceparent` is not sent because receivers belong to other organizations.
 */

import { currentSpan } from "./party.ts";
import { during } from "../tracing/index.ts";

interface Request {
  readonly url: string;
  readonly method: string;
}

/** Sends a request. If the current work is traced, the request gets a child span. */
export function tracedCall<R extends { readonly status: number }>(
  { url, method }: Request,
  send: () => Promise<R>,
): Promise<R> {
  const parent = currentSpan();
  if (parent === undefined) return send();
  const { protocol = "", hostname = "", port = "" } = URL.parse(url) ?? {};
  const span = parent.start(method, {
    kind: "client",
    attributes: {
      "http.request.method": method,
      "url.scheme": protocol.replace(":", ""),
      "server.address": hostname,
      "server.port": Number(port) || (protocol === "https:" ? 443 : 80),
    },
  });
  return during(span, async () => {
    const response = await send();
    span.set({ "http.response.status_code": response.status });
    if (response.status >= 400) span.fail(String(response.status));
    return response;
  });
}
