/** Signing in and out, and links: what needs no session yet. */

import type { FastifyReply, FastifyRequest } from "fastify";
import { epochSeconds } from "../platform/clock/index.ts";
import { clearCookie, setCookie } from "../platform/secrets/index.ts";
import { operation, type Operation } from "../platform/operations/index.ts";
import { objectSchema } from "../platform/validation/index.ts";
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

const OTHER_SITE = "A page of another site asked";
const PAUSED = `${OTHER_SITE}; or the second factor is paused until a new link is used (\`second_factor\`)`;
const SESSION_ANSWER = { $ref: "Session#" } as const;
const SETS_COOKIE = { "Set-Cookie": "The session's cookie: HttpOnly, SameSite=Strict." } as const;

export function signInOperations(deps: SignInRoutesDeps): readonly Operation<undefined>[] {
  const { sql, clock, sessions } = deps;
  const hasOwner = createOwnerCheck(sql, clock);
  const answerSigned = async (
    { tenantId, id, token }: Signed,
    { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
    remember: boolean,
  ): Promise<SignedIn> => {
    const kept = remember ? { maxAge_s: LIFETIME_s } : {};
    setCookie(request, reply, { name: SESSION_COOKIE, value: token, ...kept });
    return readSession(sql, tenantId, id);
  };
  return [
    operation({
      ...COMMON,
      method: "GET",
      url: "/auth/installation",
      id: "get_installation_state",
      summary: "Show whether the installation has an owner",
      answer: objectSchema({
        has_owner: {
          type: "boolean",
          description:
            "False until the first owner has used the link that `leadport start` prints. Nothing else is shown.",
        },
      }),
      failures: { 403: OTHER_SITE },
      run: async () => ({ has_owner: await hasOwner() }),
    }),
    operation({
      ...COMMON,
      url: "/auth/sign_in",
      id: "sign_in",
      summary: "Begin a session with e-mail and password, and the second factor of whoever has one",
      body: BODIES.signIn,
      answer: SESSION_ANSWER,
      answerHeaders: SETS_COOKIE,
      failures: {
        401: "A wrong e-mail or password, not told apart; with `second_factor` a code is missing or wrong",
        403: PAUSED,
        409: "The e-mail has this password in several `tenants`: repeat with tenant_id",
        429: "Too many attempts from this address; Retry-After says how long to wait",
        503: "Too many sign-ins at once; Retry-After says when to try again",
      },
      run: async ({ body, request, reply }) => {
        const signed = await signIn(deps, body, request);
        return answerSigned(signed, { request, reply }, body.remember === true);
      },
    }),
    operation({
      ...COMMON,
      url: "/auth/sign_out",
      id: "sign_out",
      summary: "End the session, if there is one, and forget its cookie",
      answer: { type: "object", properties: { signed_out: { type: "boolean" } } },
      answerHeaders: { "Set-Cookie": "An empty one." },
      failures: { 401: "Never: without a session there is nothing to end", 403: OTHER_SITE },
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
      summary: "What a one-time link is for",
      body: BODIES.link,
      answer: { $ref: "Link#" },
      failures: { 403: OTHER_SITE, 404: "It is unknown, was used or is too old" },
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
      summary: "Set a password by a one-time link, and begin a session; all older ones end",
      body: BODIES.linkUse,
      answer: SESSION_ANSWER,
      answerHeaders: SETS_COOKIE,
      failures: {
        401: "The person has a second factor (`second_factor`), and a code is missing or wrong",
        403: PAUSED,
        404: "It is unknown, was used or is too old",
        409: "Somebody of this tenant has the first owner's e-mail",
        429: "Too many wrong codes; Retry-After says how long to wait",
      },
      run: async ({ body, request, reply }) => {
        const signed = await followLink(deps, body, request);
        sessions.forget();
        return answerSigned(signed, { request, reply }, false);
      },
    }),
    operation({
      ...COMMON,
      url: "/auth/forgotten",
      id: "forgot_password",
      summary: "Have a link to set a password mailed; the answer is the same for e-mails of nobody",
      body: BODIES.forgotten,
      answer: objectSchema({
        sent: { type: "boolean", description: "Whether this installation can send mail." },
      }),
      failures: {
        403: OTHER_SITE,
        429: "Asked too often within an hour; Retry-After says how long to wait",
      },
      run: async ({ body, request }) => mailReset(deps, body.email, request),
    }),
  ];
}
