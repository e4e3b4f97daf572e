/** Headers that every response has, and those that keep pages out of frames. */

import { isIP } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";

/** No browser takes a response for another type than it says it is. */
export const NO_SNIFF = { "x-content-type-options": "nosniff" } as const;

/** No other page shows this one inside a frame. */
export const NO_FRAMES = {
  "content-security-policy": "frame-ancestors 'none'",
  "x-frame-options": "DENY",
} as const;

/** A year (RFC 6797), and without subdomains: other services may run there without TLS. */
const HSTS = "max-age=31536000";

/** Sets the headers of every response; `hsts` where the service itself speaks TLS. */
export const createCommonHeaders =
  ({ hsts }: { readonly hsts: boolean }) =>
  (request: FastifyRequest, reply: FastifyReply): void => {
    reply.header("x-request-id", request.id).headers(NO_SNIFF);
    if (hsts && isPublicName(request.headers.host ?? "")) {
      reply.header("strict-transport-security", HSTS);
    }
  };

/** Whether browsers may remember a host for HTTPS: no address (RFC 6797), and not `localhost`. */
function isPublicName(host: string): boolean {
  const name = host.replace(/:\d*$/, "").replace(/\.$/, "").toLowerCase();
  if (name === "" || name.startsWith("[") || isIP(name) !== 0) return false;
  return name !== "localhost" && !name.endsWith(".localhost");
}
