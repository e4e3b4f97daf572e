/** Refuses requests that another site's page makes a browser send (`Sec-Fetch-Site`, `Origin`). */

import type { FastifyRequest } from "fastify";
import { AppError } from "../errors/index.ts";

const READS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** Where a request comes from, by its own word: undefined where it says nothing. */
function isFromHere(request: FastifyRequest): boolean | undefined {
  const { "sec-fetch-site": site, origin } = request.headers;
  if (site !== undefined) return site === "same-origin" || site === "none";
  if (origin === undefined) return undefined;
  const host = URL.parse(`${request.protocol}://${request.host}`)?.host;
  return host !== undefined && URL.parse(origin)?.host === host;
}

/** For cookies: throws 403 if a write is not from this origin, or a read is from another site. */
export function refuseCrossSite(request: FastifyRequest): void {
  const isRefused = READS.has(request.method)
    ? request.headers["sec-fetch-site"] === "cross-site"
    : isFromHere(request) !== true;
  if (isRefused) throw new AppError("cross_site");
}

/** For what needs no cookie: the same, but a program that is no browser may say nothing. */
export async function refuseOtherOrigins(request: FastifyRequest): Promise<undefined> {
  if (isFromHere(request) === false) throw new AppError("cross_site");
  return undefined;
}
