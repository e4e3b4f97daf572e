/** Headers of all responses, and headers that prevent pages from being framed. */

import { isIP } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Prevents browsers from treating a response as another content type. */
export const NO_SNIFF = { "x-content-type-options": "nosniff" } as const;

/** Prevents other pages from displaying this page in a frame. */
export const NO_FRAMES = {
  "content-security-policy": "frame-ancestors 'none'",
  "x-frame-options": "DENY",
} as const;

/**
 * Browsers must use HTTPS for one year (RFC 6797). Subdomains are excluded, because other services may run there
 * without TLS.
 */
const HSTS = "max-age=31536000";

/** Returns a function that sets the headers of every response. Set `hsts` if the service terminates TLS itself. */
export const createCommonHeaders =
  ({ hsts }: { readonly hsts: boolean }) =>
  (request: FastifyRequest, reply: FastifyReply): void => {
    reply.header("x-request-id", request.id).headers(NO_SNIFF);
    if (hsts && isPublicName(request.headers.host ?? "")) {
      reply.header("strict-transport-security", HSTS);
    }
  };

/** Whether HSTS may apply to a host. It never applies to IP addresses (RFC 6797) or `localhost`. */
function isPublicName(host: string): boolean {
  const name = host.replace(/:\d*$/, "").replace(/\.$/, "").toLowerCase();
  if (name === "" || name.startsWith("[") || isIP(name) !== 0) return false;
  return name !== "localhost" && !name.endsWith(".localhost");
}
