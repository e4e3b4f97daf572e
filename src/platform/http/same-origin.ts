/** Rejects requests that come from pages of other sites (`Sec-Fetch-Site`, `Origin`). */

import type { FastifyRequest } from "fastify";
import { AppError } from "../errors/index.ts";

const READS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** Whether a request comes from our own origin. Undefined if it has neither `Sec-Fetch-Site` nor `Origin`. */
function isSameOrigin(request: FastifyRequest): boolean | undefined {
  const { "sec-fetch-site": site, origin } = request.headers;
  if (site !== undefined) return site === "same-origin" || site === "none";
  if (origin === undefined) return undefined;
  const host = URL.parse(`${request.protocol}://${request.host}`)?.host;
  return host !== undefined && URL.parse(origin)?.host === host;
}

/** For requests with cookies: throws 403 if a write comes from another origin, or a read from another site. */
export function refuseCrossSite(request: FastifyRequest): void {
  const isRefused = READS.has(request.method)
    ? request.headers["sec-fetch-site"] === "cross-site"
    : isSameOrigin(request) !== true;
  if (isRefused) throw new AppError("cross_site");
}

/** For requests without cookies: throws 403 if they come from another origin. Non-browsers may omit both headers. */
export async function refuseOtherOrigins(request: FastifyRequest): Promise<undefined> {
  if (isSameOrigin(request) === false) throw new AppError("cross_site");
  return undefined;
}
