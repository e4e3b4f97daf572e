/** The `Link` header (RFC 8288) that leads to the next page (D5.3). */

import type { FastifyReply, FastifyRequest } from "fastify";

/** Adds a relative link to the same question at a cursor; nothing where there is no next page. */
export function linkNext(request: FastifyRequest, reply: FastifyReply, next?: string): void {
  if (next === undefined) return;
  const [path = "", query] = request.url.split("?");
  const parameters = new URLSearchParams(query);
  parameters.delete("page_num");
  parameters.set("cursor", next);
  reply.header("link", `<${path}?${parameters.toString()}>; rel="next"`);
}
