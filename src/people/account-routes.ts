/** Operations that users perform on their own account. */

import type { FastifyRequest } from "fastify";
import type { Caller } from "../access/index.ts";
import { run } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";
import type { JsonObject } from "../platform/json/index.ts";
import { operation, type Operation } from "../platform/operations/index.ts";
import { boolean, objectSchema, string } from "../platform/schemas/index.ts";
import {
  beginSecondFactor,
  changePassword,
  confirmSecondFactor,
  removeSecondFactor,
  rename,
  renewRecoveryCodes,
  type Self,
} from "./account.ts";
import { BODIES } from "./bodies.ts";
import { OWN } from "./own-routes.ts";
import { readSession } from "./sessions.ts";
import type { SignInRoutesDeps } from "./sign-in-routes.ts";

const selfOf = (caller: Caller, request: FastifyRequest): Self => ({ caller, request });

const ASKS = {
  429: "Too many requests, or too many wrong passwords or codes. Retry after `Retry-After` seconds.",
} as const;
const CHANGED = "your password or second factor has changed in the meantime.";
const NO_FACTOR = `You have no second factor, or ${CHANGED}`;
const CODES = { $ref: "RecoveryCodes#" } as const;
const PREFERENCES = { $ref: "Preferences#" } as const;

/** Operations to change the password, the name and preferences. */
export function accountOperations(deps: SignInRoutesDeps): readonly Operation<Caller>[] {
  const { sql, sessions } = deps;
  const session = ({ tenant, credential }: Caller) => readSession(sql, tenant.id, credential.id);
  return [
    operation({
      ...OWN,
      method: "POST",
      url: "/auth/password",
      id: "change_password",
      summary: "Change your password",
      description: "All your other sessions end.",
      body: BODIES.passwordChange,
      answer: { $ref: "Session#" },
      failures: { ...ASKS, 409: "Your password or second factor has changed in the meantime." },
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
      summary: "Update your profile",
      description: "Changes your name.",
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
      summary: "Get your preferences",
      description: "Returns the object that the console stored for you.",
      answer: PREFERENCES,
      run: async ({ caller }) => readPreferences(deps, caller),
    }),
    operation({
      ...OWN,
      method: "PUT",
      url: "/auth/preferences",
      id: "put_preferences",
      summary: "Replace your preferences",
      description: "Stores an object of up to 64 KiB in place of the previous one.",
      body: BODIES.preferences,
      answer: PREFERENCES,
      failures: { 413: "The object is larger than 64 KiB." },
      run: async ({ caller, body }) => storePreferences(deps, caller, body),
    }),
  ];
}

const SECOND_FACTOR = { ...OWN, method: "POST", failures: ASKS } as const;

/** Operations to set up, confirm and remove the second factor, and to replace the recovery codes. */
export function secondFactorOperations(deps: SignInRoutesDeps): readonly Operation<Caller>[] {
  return [
    operation({
      ...SECOND_FACTOR,
      url: "/auth/second_factor",
      id: "begin_second_factor",
      summary: "Create a second factor",
      description:
        "Returns a new secret for an authenticator app. It takes effect when you confirm it.",
      body: BODIES.password,
      answer: objectSchema({
        secret: string("The secret for the authenticator app. It is not shown again."),
        uri: string("The secret as an `otpauth` URI, for a QR code."),
      }),
      failures: { ...ASKS, 409: `You already have a second factor, or ${CHANGED}` },
      run: async ({ caller, body, request }) =>
        beginSecondFactor(deps, selfOf(caller, request), body.password),
    }),
    operation({
      ...SECOND_FACTOR,
      url: "/auth/second_factor/confirm",
      id: "confirm_second_factor",
      summary: "Confirm a second factor",
      description:
        "Confirms the new secret with a code. Returns the recovery codes, which are not shown again.",
      body: BODIES.code,
      answer: CODES,
      failures: {
        ...ASKS,
        409: "No second factor was created, or it has been confirmed in the meantime.",
      },
      run: async ({ caller, body, request }) => ({
        recovery_codes: await confirmSecondFactor(deps, selfOf(caller, request), body.code),
      }),
    }),
    operation({
      ...SECOND_FACTOR,
      url: "/auth/second_factor/recovery_codes",
      id: "renew_recovery_codes",
      failures: { ...ASKS, 409: NO_FACTOR },
      summary: "Create recovery codes",
      description: "Replaces the recovery codes. They are not shown again.",
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
      summary: "Remove your second factor",
      description: "Requires your password and a code or a recovery code.",
      body: BODIES.secondFactorRemoval,
      answer: objectSchema({
        removed: boolean("Whether the second factor was removed."),
      }),
      failures: {
        ...ASKS,
        403: "The second factor is paused until you set a password with a new link.",
        409: NO_FACTOR,
      },
      run: async ({ caller, body, request }) => {
        await removeSecondFactor(deps, selfOf(caller, request), body);
        return { removed: true };
      },
    }),
  ];
}

const PREFERENCES_MAX_bytes = 64 * 1024;

/** Returns the user's stored preferences. */
async function readPreferences(
  { sql: db }: SignInRoutesDeps,
  { tenant, person }: Caller,
): Promise<Buffer> {
  const [row] = await run<{ body: string }[]>(db)`
    select preferences::text as body from people
     where tenant_id = ${tenant.id} and id = ${person.id}`;
  return Buffer.from(row?.body ?? "{}");
}

/** Replaces the user's preferences. Throws 413 if they exceed 64 KiB. */
async function storePreferences(
  { sql: db }: SignInRoutesDeps,
  { tenant, person }: Caller,
  body: JsonObject,
): Promise<Buffer> {
  const text = JSON.stringify(body);
  if (Buffer.byteLength(text) > PREFERENCES_MAX_bytes) throw new AppError("body_too_large");
  await run(db)`
    update people set preferences = ${text}::text::json
     where tenant_id = ${tenant.id} and id = ${person.id}`;
  return Buffer.from(text);
}
