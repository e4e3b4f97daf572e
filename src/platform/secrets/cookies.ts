/** Session cookies. They are HTTP-only and same-site. Over HTTPS, they are also bound to the host. */

import { parseCookie, stringifySetCookie } from "cookie";
import type { FastifyReply, FastifyRequest } from "fastify";

/** The cookies of user sessions and of the partner portal. */
export type CookieName = "leadport" | "leadport_partner";

/** Whether the request used TLS, directly or through a trusted proxy. */
const isSecure = ({ protocol }: FastifyRequest): boolean => protocol === "https";

/**
 * Browsers accept the prefix `__Host-` only from secure origins. With it, other hosts in the domain cannot set the
 * cookie.
 */
const nameOn = (request: FastifyRequest, name: CookieName): string =>
  isSecure(request) ? `__Host-${name}` : name;

/** Returns the value of a cookie. Cookies are ignored if there is an `Authorization` header. */
export function cookieIn(request: FastifyRequest, name: CookieName): string | undefined {
  const { cookie, authorization } = request.headers;
  return cookie === undefined || authorization !== undefined
    ? undefined
    : parseCookie(cookie)[nameOn(request, name)];
}

/** Sets a cookie. Without `maxAge_s`, the cookie expires when the browser session ends. */
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
