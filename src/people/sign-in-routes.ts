/** Operations that need no session: signing in, signing out, and using links. */

import type { FastifyReply, FastifyRequest } from "fastify";
import { epochSeconds } from "../platform/clock/index.ts";
import { clearCookie, setCookie } from "../platform/secrets/index.ts";
import { operation, type Operation } from "../platform/operations/index.ts";
import { boolean, objectSchema } from "../platform/schemas/index.ts";
import { BODIES, type LinkPreview, type SignedIn } from "./bodies.ts";
import { createOwnerCheck } from "./first-owner.ts";
import { mailReset, type LinkDeps } from "./forgotten.ts";
import { findLink } from "./links.ts";
import { SESSION_COOKIE, type SessionRegistry } from "./session-registry.ts";
import { endSessions, LIFETIME_s, readSession } from "./sessions.ts";
import { signIn, type Signed, type SignInDeps } from "./sign-in.ts";
import { followLink } from "./use-link.ts";

export interface SignInRoutesDeps extends SignInDeps, LinkDeps {
  readonly sessions: SessionRegistry;
}

const COMMON = {
  method: "POST",
  tag: "sign-in",
  permission: "own",
  security: null,
  keyless: true,
  noStore: true,
} as const;

const OTHER_SITE = "The request came from a page on another site.";
const PAUSED =
  "The request came from a page on another site, or the second factor is paused until you set a " +
  "password with a new link (`second_factor`).";
const SESSION_ANSWER = { $ref: "Session#" } as const;
const SETS_COOKIE = {
  "Set-Cookie": "The cookie of the session: HttpOnly, SameSite=Strict.",
} as const;

export function signInOperations(deps: SignInRoutesDeps): readonly Operation<undefined>[] {
  const { sql, clock, sessions } = deps;
  const hasOwner = createOwnerCheck(sql, clock);
  const startSession = async (
    { tenantId, id, token }: Signed,
    { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
    remember: boolean,
  ): Promise<SignedIn> => {
    const lifetime = remember ? { maxAge_s: LIFETIME_s } : {};
    setCookie(request, reply, { name: SESSION_COOKIE, value: token, ...lifetime });
    return readSession(sql, tenantId, id);
  };
  return [
    operation({
      ...COMMON,
      method: "GET",
      url: "/auth/installation",
      id: "get_installation_state",
      summary: "Get the installation state",
      description: "Returns whether the installation has an owner.",
      answer: objectSchema({
        has_owner: boolean(
          "False until the first owner has used the link that `leadport start` prints.",
        ),
      }),
      failures: { 403: OTHER_SITE },
      run: async () => ({ has_owner: await hasOwner() }),
    }),
    operation({
      ...COMMON,
      url: "/auth/sign_in",
      id: "sign_in",
      summary: "Sign in",
      description:
        "Starts a session with an email and a password, and a code if you have a second factor.",
      body: BODIES.signIn,
      answer: SESSION_ANSWER,
      answerHeaders: SETS_COOKIE,
      failures: {
        401: "Wrong email or password; with `second_factor`, the code is missing or wrong.",
        403: PAUSED,
        409: "The email has this password in several `tenants`. Repeat the request with `tenant_id`.",
        429: "Too many attempts from this address. Retry after `Retry-After` seconds.",
        503: "Too many sign-ins at once, or the service is unavailable. Retry after `Retry-After` seconds.",
      },
      run: async ({ body, request, reply }) => {
        const signed = await signIn(deps, body, request);
        return startSession(signed, { request, reply }, body.remember === true);
      },
    }),
    operation({
      ...COMMON,
      url: "/auth/sign_out",
      id: "sign_out",
      summary: "Sign out",
      description: "Ends the session, if there is one, and removes its cookie.",
      answer: {
        type: "object",
        properties: {
          signed_out: boolean("Whether there was a session."),
        },
      },
      answerHeaders: { "Set-Cookie": "An empty cookie." },
      failures: { 403: OTHER_SITE },
      run: async ({ request, reply }) => {
        const caller = await sessions.find(request);
        if (caller !== undefined) {
          const scope = { db: sql, tenantId: caller.tenant.id };
          await endSessions(scope, caller.person.id, { only: caller.credential.id });
          sessions.forget();
        }
        clearCookie(request, reply, SESSION_COOKIE);
        return { signed_out: caller !== undefined };
      },
    }),
    operation({
      ...COMMON,
      url: "/auth/links/look",
      id: "look_at_link",
      summary: "Inspect a link",
      description: "Returns what a one-time link is for. The link stays valid.",
      body: BODIES.link,
      answer: { $ref: "Link#" },
      failures: { 403: OTHER_SITE, 404: "The link is unknown, was used or has expired." },
      run: async ({ body }): Promise<LinkPreview> => {
        const found = await findLink(sql, body.token, epochSeconds(clock));
        const { kind, tenantName: tenant_name, person, expires_ts } = found;
        const { name, totp } = person;
        const email = kind === "first_owner" ? null : person.email;
        return { kind, name, email, tenant_name, has_second_factor: totp !== null, expires_ts };
      },
    }),
    operation({
      ...COMMON,
      url: "/auth/links/use",
      id: "use_link",
      summary: "Use a link",
      description:
        "Sets a password with a one-time link and starts a session. All older sessions end.",
      body: BODIES.linkUse,
      answer: SESSION_ANSWER,
      answerHeaders: SETS_COOKIE,
      failures: {
        401: "The user has a second factor (`second_factor`), and the code is missing or wrong.",
        403: PAUSED,
        404: "The link is unknown, was used or has expired.",
        409: "Another user of the tenant has this email, or the second factor has changed in the meantime.",
        429: "Too many wrong codes. Retry after `Retry-After` seconds.",
      },
      run: async ({ body, request, reply }) => {
        const signed = await followLink(deps, body, request);
        sessions.forget();
        return startSession(signed, { request, reply }, false);
      },
    }),
    operation({
      ...COMMON,
      url: "/auth/forgotten",
      id: "forgot_password",
      summary: "Request a password reset",
      description:
        "Emails a link to set a password. The response is the same if no user has this email.",
      body: BODIES.forgotten,
      answer: objectSchema({
        sent: boolean("Whether the installation sends email."),
      }),
      failures: {
        403: OTHER_SITE,
        429: "Too many requests within an hour. Retry after `Retry-After` seconds.",
      },
      run: async ({ body, request }) => mailReset(deps, body.email, request),
    }),
  ];
}
