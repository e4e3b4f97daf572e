/** The cookies of pages: closed to scripts, same-site, and over https bound to the host. */

import { parseCookie, stringifySetCookie } from "cookie";
import type { FastifyReply, FastifyRequest } from "fastify";

/** The cookie of a person's session, and that of a partner's portal. */
export type CookieName = "leadport" | "leadport_partner";

/** By own TLS, or by that of a proxy that is trusted. */
const isSecure = ({ protocol }: FastifyRequest): boolean => protocol === "https";

/** A browser takes `__Host-` from a secure origin alone, and lets no other host of the domain set it. */
const nameOn = (request: FastifyRequest, name: CookieName): string =>
  isSecure(request) ? `__Host-${name}` : name;

/** The value of a cookie. With an `Authorization` header, no cookie is read. */
export function cookieIn(request: FastifyRequest, name: CookieName): string | undefined {
  const { cookie, authorization } = request.headers;
  return cookie === undefined || authorization !== undefined
    ? undefined
    : parseCookie(cookie)[nameOn(request, name)];
}

/** Sets a cookie; without `maxAge_s` it goes with the browser's session. */
export function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  cookie: { readonly name: CookieName; readonly value: string; readonly maxAge_s?: number },
): void {
  const { name, value, maxAge_s } = cookie;
  const text = stringifySetCookie({
    name: nameOn(request, name),
    value,
    httpOnly: true,
    sameSite: "strict",
    path: "/",
    secure: isSecure(request),
    ...(maxAge_s !== undefined && { maxAge: maxAge_s }),
  });
  reply.header("set-cookie", text);
}

export const clearCookie = (request: FastifyRequest, reply: FastifyReply, name: CookieName): void =>
  setCookie(request, reply, { name, value: "", maxAge_s: 0 });
