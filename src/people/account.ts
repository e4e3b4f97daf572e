/** Changes that users make to their own account: name, password, second factor. */

import type { FastifyRequest } from "fastify";
import sql from "sql-template-tag";
import { type Caller, unauthenticated } from "../access/index.ts";
import type { Refusal } from "../limits/index.ts";
import { changedFields, logChange, type ChangedFields, type Scope } from "../audit/index.ts";
import { type Db, run, transaction, type Tx } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";
import { pick, sameJson } from "../platform/json/index.ts";
import type { Body } from "./bodies.ts";
import { endLinks } from "./links.ts";
import { drawRecoveryCodes, makeSecret, passwordFaults, stepOf } from "./credentials/index.ts";
import { endSessions } from "./sessions.ts";
import {
  tryingCode,
  personActor,
  refusal,
  refuseGuessable,
  tryingPassword,
  type SignInDeps,
} from "./sign-in.ts";
import { tryCode } from "./try-code.ts";

/** A user who acts on their own account, and the request. */
export interface Self {
  readonly caller: Caller;
  readonly request: FastifyRequest;
}

interface Account {
  readonly name: string;
  readonly email: string;
  readonly password_hash: string | null;
  readonly totp: string | null;
  readonly totp_pending: string | null;
}

async function readAccount(
  db: Db | Tx,
  { tenant, person }: Caller,
  { lock = false } = {},
): Promise<Account> {
  const [row] = await run<Account[]>(db)`
    select name, email, password_hash, totp, totp_pending from people
     where tenant_id = ${tenant.id} and id = ${person.id} ${lock ? sql`for no key update` : sql``}`;
  if (row === undefined) throw new AppError("not_found");
  return row;
}

/**
 * Checks a signed-in user's password again, and counts failed attempts. Throws a 422 error that names the body member
 * with the wrong password.
 */
async function checkPassword(
  deps: SignInDeps,
  self: Self,
  { email, password_hash }: Account,
  { member = "password", password }: { readonly member?: string; readonly password: string },
): Promise<void> {
  const { request } = self;
  const isRight = await tryingPassword(
    deps,
    { email, from: request.ip },
    {
      make: () => deps.passwords.matches(request, password_hash, password),
      isWrong: (right) => !right,
    },
  );
  if (isRight) return;
  noteWrong(deps, self, "wrong_password");
  throw refusal(member, "this is not your current password");
}

/** Logs a wrong password or code entered by a signed-in user, and adds an audit entry. */
function noteWrong(
  { refusals }: SignInDeps,
  { caller: { tenant, person }, request }: Self,
  reason: Refusal["reason"],
): void {
  refusals.note(
    { action: "credential_refused", reason, from: request.ip, requestId: request.id },
    { tenantId: tenant.id, subjectType: "person", subjectId: person.id },
  );
}

/**
 * Runs writes in a transaction with the user as the actor, and adds an audit entry. Locks the user's row before the
 * session, like other writes. Throws 401 if the session has ended, and 409 if the password or the second factor has
 * changed since `account` was read.
 */
const changeSelf = (
  { sql: db, makeId }: SignInDeps,
  { caller }: Self,
  { action, account }: { readonly action: string; readonly account?: Account },
  work: (scope: Scope<Tx>, current: Account) => Promise<ChangedFields>,
): Promise<void> =>
  transaction(db, async (tx) => {
    const { tenant, person, credential, requestId } = caller;
    const scope = { db: tx, tenantId: tenant.id, actor: personActor(person, requestId) };
    const current = await readAccount(tx, caller, { lock: true });
    const session = await run(tx)`
      select from sessions where tenant_id = ${tenant.id} and id = ${credential.id} for share`;
    if (session.count === 0) throw unauthenticated();
    if (account !== undefined && !sameJson(pick(account, CHECKED), pick(current, CHECKED))) {
      throw hasChanged();
    }
    const fields = await work(scope, current);
    await logChange(scope, makeId, { subjectType: "person", subjectId: person.id, action, fields });
  });

const CHECKED = ["password_hash", "totp"] as const;

const hasChanged = (): AppError =>
  new AppError("conflict", {
    detail: "Your password or second factor has changed in the meantime",
  });

const MASKED = changedFields({ password: "***" }, { password: "*** (new)" });

/**
 * Changes the password, ends the user's other sessions, and invalidates the user's links. Throws 422 if the current
 * password is wrong or the new one is too easy to guess, 429 after too many wrong passwords, and 409 if the password has
 * changed in the meantime.
 */
export async function changePassword(
  deps: SignInDeps,
  self: Self,
  { current_password, new_password }: Body<"passwordChange">,
): Promise<void> {
  const account = await readAccount(deps.sql, self.caller);
  await checkPassword(deps, self, account, {
    member: "current_password",
    password: current_password,
  });
  refuseGuessable("new_password", await passwordFaults(new_password, account));
  const hash = await deps.passwords.hash(self.request, new_password);
  const { person, credential } = self.caller;
  await changeSelf(deps, self, { action: "password_set", account }, async (scope) => {
    const { db, tenantId } = scope;
    await run(db)`
      update people set password_hash = ${hash} where tenant_id = ${tenantId} and id = ${person.id}`;
    await endLinks(scope, person.id);
    await endSessions(scope, person.id, { except: credential.id });
    return MASKED;
  });
}

/** Creates a secret that takes effect once confirmed with a code. Throws 409 if a second factor already exists. */
export async function beginSecondFactor(
  deps: SignInDeps,
  self: Self,
  password: string,
): Promise<{ readonly secret: string; readonly uri: string }> {
  const account = await readAccount(deps.sql, self.caller);
  await checkPassword(deps, self, account, { password });
  if (account.totp !== null) {
    throw new AppError("conflict", {
      detail: "You already have a second factor; remove it first",
    });
  }
  const { tenant, person } = self.caller;
  const { email } = account;
  const made = makeSecret(deps, { tenantId: tenant.id, personId: person.id, email });
  const set = await run(deps.sql)`
    update people set totp_pending = ${made.sealed}
     where tenant_id = ${tenant.id} and id = ${person.id} and totp is null
       and password_hash = ${account.password_hash}`;
  if (set.count !== 1) throw hasChanged();
  return { secret: made.secret, uri: made.uri };
}

/**
 * Activates the secret. Returns the recovery codes, which are shown only once. Throws 409 if no setup was started, and
 * 422 if the code is wrong.
 */
export async function confirmSecondFactor(
  deps: SignInDeps,
  self: Self,
  code: string,
): Promise<readonly string[]> {
  const { email, totp_pending: sealed } = await readAccount(deps.sql, self.caller);
  if (sealed === null) {
    throw new AppError("conflict", {
      detail: "The setup of a second factor has not been started",
    });
  }
  const { tenant, person } = self.caller;
  const step = await tryingCode(
    deps,
    { email, from: self.request.ip },
    {
      make: async () => stepOf(deps, { tenantId: tenant.id, personId: person.id, sealed }, code),
      isWrong: (found) => found === undefined,
    },
  );
  if (step === undefined)
    throw refusal("code", "this is not a valid code of the new second factor");
  const { codes, hashes } = drawRecoveryCodes();
  await changeSelf(deps, self, { action: "second_factor_set" }, async ({ db, tenantId }) => {
    const set = await run(db)`
      update people set totp = totp_pending, totp_pending = null, totp_step = ${step},
                        recovery_code_hashes = ${hashes}
       where tenant_id = ${tenantId} and id = ${person.id} and totp_pending = ${sealed}`;
    if (set.count !== 1) {
      throw new AppError("conflict", {
        detail: "The second factor was confirmed or replaced in the meantime",
      });
    }
    return changedFields({ second_factor: false }, { second_factor: true });
  });
  return codes;
}

/** Replaces all recovery codes. Throws 409 if there is no second factor. */
export async function renewRecoveryCodes(
  deps: SignInDeps,
  self: Self,
  password: string,
): Promise<readonly string[]> {
  const account = await readAccount(deps.sql, self.caller);
  await checkPassword(deps, self, account, { password });
  if (account.totp === null) throw noFactor();
  const { codes, hashes } = drawRecoveryCodes();
  const made = { action: "recovery_codes_made", account };
  await changeSelf(deps, self, made, async ({ db, tenantId }) => {
    await run(db)`
      update people set recovery_code_hashes = ${hashes}
       where tenant_id = ${tenantId} and id = ${self.caller.person.id}`;
    return {};
  });
  return codes;
}

const noFactor = (): AppError => new AppError("conflict", { detail: "You have no second factor" });

/** Removes the second factor. Requires the password and a code. Throws 422 if either is wrong. */
export async function removeSecondFactor(
  deps: SignInDeps,
  self: Self,
  { password, ...codes }: Body<"secondFactorRemoval">,
): Promise<void> {
  const account = await readAccount(deps.sql, self.caller);
  await checkPassword(deps, self, account, { password });
  const { name, email, totp } = account;
  if (totp === null) throw noFactor();
  const { tenant, person } = self.caller;
  const isTaken = await tryingCode(
    deps,
    { email, from: self.request.ip },
    {
      make: () =>
        tryCode(deps, { tenantId: tenant.id, id: person.id, name, email, totp }, codes, {
          requestId: self.caller.requestId,
        }),
      isWrong: (taken) => !taken,
    },
  );
  if (!isTaken) {
    noteWrong(deps, self, "wrong_second_factor");
    const member = codes.code === undefined ? "recovery_code" : "code";
    throw refusal(member, "this code is wrong or was already used");
  }
  await changeSelf(deps, self, { action: "second_factor_removed", account }, async (scope) => {
    await clearSecondFactor(scope, person.id);
    return changedFields({ second_factor: true }, { second_factor: false });
  });
}

/** Removes a user's second factor, its recovery codes and its counters. */
export async function clearSecondFactor(
  { db, tenantId }: Pick<Scope<Tx>, "db" | "tenantId">,
  personId: string,
): Promise<void> {
  await run(db)`
    update people set totp = null, totp_pending = null, totp_step = null, recovery_code_hashes = '{}',
                      wrong_code_ts = '{}', codes_paused_ts = null, codes_paused_until_ts = null
     where tenant_id = ${tenantId} and id = ${personId}`;
}

/** Renames the user. Existing audit entries keep the old name. */
export const rename = (deps: SignInDeps, self: Self, body: Body<"profile">): Promise<void> => {
  const { person } = self.caller;
  return changeSelf(deps, self, { action: "updated" }, async ({ db, tenantId }, before) => {
    const { name = before.name } = body;
    await run(db)`
      update people set name = ${name} where tenant_id = ${tenantId} and id = ${person.id}`;
    return changedFields({ name: before.name }, { name });
  });
};
