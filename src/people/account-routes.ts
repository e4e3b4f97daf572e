/** Operations on one's own account. */

import type { FastifyRequest } from "fastify";
import type { Caller } from "../access/index.ts";
import { operation, type Operation } from "../platform/operations/index.ts";
import { objectSchema } from "../platform/validation/index.ts";
import {
  beginSecondFactor,
  changePassword,
  confirmSecondFactor,
  readPreferences,
  removeSecondFactor,
  rename,
  renewRecoveryCodes,
  storePreferences,
  type Self,
} from "./account.ts";
import { BODIES } from "./bodies.ts";
import { OWN } from "./own-routes.ts";
import { readSession } from "./sessions.ts";
import type { SignInRoutesDeps } from "./sign-in-routes.ts";

const selfOf = (caller: Caller, request: FastifyRequest): Self => ({ caller, request });

const ASKS = {
  429: "Too many passwords or codes; Retry-After says how long to wait",
} as const;
const CODES = { $ref: "RecoveryCodes#" } as const;
const PREFERENCES = { $ref: "Preferences#" } as const;

/** Password, name and preferences. */
export function accountOperations(deps: SignInRoutesDeps): readonly Operation<Caller>[] {
  const { sql, sessions } = deps;
  const session = ({ tenant, credential }: Caller) => readSession(sql, tenant.id, credential.id);
  return [
    operation({
      ...OWN,
      method: "POST",
      url: "/auth/password",
      id: "change_password",
      summary: "Change the password; all other sessions end",
      body: BODIES.passwordChange,
      answer: { $ref: "Session#" },
      failures: ASKS,
      run: async ({ caller, body, request }) => {
        await changePassword(deps, selfOf(caller, request), body);
        sessions.forget();
        return session(caller);
      },
    }),
    operation({
      ...OWN,
      method: "PATCH",
      url: "/auth/profile",
      id: "update_profile",
      summary: "Change one's own name",
      body: BODIES.profile,
      answer: { $ref: "Session#" },
      run: async ({ caller, body, request }) => {
        await rename(deps, selfOf(caller, request), body);
        sessions.forget();
        return session(caller);
      },
    }),
    operation({
      ...OWN,
      method: "GET",
      url: "/auth/preferences",
      id: "get_preferences",
      summary: "What a page has kept for this person",
      answer: PREFERENCES,
      run: async ({ caller }) => readPreferences(deps, caller),
    }),
    operation({
      ...OWN,
      method: "PUT",
      url: "/auth/preferences",
      id: "put_preferences",
      summary: "Keep an object of up to 64 KiB in the place of the one before",
      body: BODIES.preferences,
      answer: PREFERENCES,
      failures: { 413: "More than 64 KiB" },
      run: async ({ caller, body }) => storePreferences(deps, caller, body),
    }),
  ];
}

const SECOND_FACTOR = { ...OWN, method: "POST", failures: ASKS } as const;

/** The second factor: begun, confirmed, its recovery codes, and its end. */
export function secondFactorOperations(deps: SignInRoutesDeps): readonly Operation<Caller>[] {
  return [
    operation({
      ...SECOND_FACTOR,
      url: "/auth/second_factor",
      id: "begin_second_factor",
      summary: "A new secret for an authenticator, which counts when it is confirmed",
      body: BODIES.password,
      answer: objectSchema({ secret: { type: "string" }, uri: { type: "string" } }),
      run: async ({ caller, body, request }) =>
        beginSecondFactor(deps, selfOf(caller, request), body.password),
    }),
    operation({
      ...SECOND_FACTOR,
      url: "/auth/second_factor/confirm",
      id: "confirm_second_factor",
      summary: "Let it count, by a code of it; the recovery codes are shown this once",
      body: BODIES.code,
      answer: CODES,
      run: async ({ caller, body, request }) => ({
        recovery_codes: await confirmSecondFactor(deps, selfOf(caller, request), body.code),
      }),
    }),
    operation({
      ...SECOND_FACTOR,
      url: "/auth/second_factor/recovery_codes",
      id: "renew_recovery_codes",
      summary: "New recovery codes in the place of the old ones, shown this once",
      body: BODIES.password,
      answer: CODES,
      run: async ({ caller, body, request }) => ({
        recovery_codes: await renewRecoveryCodes(deps, selfOf(caller, request), body.password),
      }),
    }),
    operation({
      ...SECOND_FACTOR,
      url: "/auth/second_factor/remove",
      id: "remove_second_factor",
      summary: "Remove it, by the password and a code of it or a recovery code",
      body: BODIES.secondFactorRemoval,
      answer: objectSchema({ removed: { type: "boolean" } }),
      failures: { ...ASKS, 403: "The second factor is paused until a new link is used" },
      run: async ({ caller, body, request }) => {
        await removeSecondFactor(deps, selfOf(caller, request), body);
        return { removed: true };
      },
    }),
  ];
}
