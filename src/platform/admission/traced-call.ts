/**
 * The spans of outgoing calls. A webhook's path and query can hold secrets and personal data, so only the
 * host is shown. `traceparent` is not sent: receivers belong to other organizations.
 */

import { currentSpan } from "./party.ts";
import { during } from "../tracing/index.ts";

interface Request {
  readonly url: string;
  readonly method: string;
}

/** Sends a request, in a span of what is being run if that is traced. */
export function tracedCall<A extends { readonly status: number }>(
  { url, method }: Request,
  send: () => Promise<A>,
): Promise<A> {
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
    const answer = await send();
    span.set({ "http.response.status_code": answer.status });
    if (answer.status >= 400) span.fail(String(answer.status));
    return answer;
  });
}
