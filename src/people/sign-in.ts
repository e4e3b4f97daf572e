/** Signs users in with their email, password and, if they have one, the second factor. */

import type { FastifyRequest } from "fastify";
import { tenantSuspended } from "../tenants/index.ts";
import {
  attempt,
  type Attempt,
  type AttemptDeps,
  type AttemptLimit,
  type Refusals,
} from "../limits/index.ts";
import { logChange, type Actor, type TenantId } from "../audit/index.ts";
import { epochSeconds } from "../platform/clock/index.ts";
import { type Db, run, transaction } from "../platform/database/index.ts";
import { AppError, type Issue, ValidationError } from "../platform/errors/index.ts";
import { type Fault, valueError } from "../platform/validation/index.ts";
import type { Body } from "./bodies.ts";
import { isOutdated, type Passwords, type SecondFactorCodes } from "./credentials/index.ts";
import { createSession, type NewSession } from "./sessions.ts";
import { isPaused, tryCode, type CodeAccount, type TryCodeDeps } from "./try-code.ts";

export interface SignInDeps extends TryCodeDeps {
  readonly passwords: Passwords;
  readonly refusals: Refusals;
}

type Credentials = Body<"signIn">;

/** A user who may sign in. */
interface Candidate {
  readonly tenant_id: TenantId;
  readonly tenant_name: string;
  readonly tenant_handle: string;
  readonly id: string;
  readonly name: string;
  readonly password_hash: string;
  readonly totp: string | null;
  readonly tenant_is_suspended: boolean;
}

/** A new session and its tenant. */
export interface Signed extends NewSession {
  readonly tenantId: TenantId;
}

const WITHIN_s = 15 * 60;
/** Limit on wrong attempts per email, whether or not it is known. */
const WRONG_MAX = 5;
/** Limit on wrong attempts from one IP address, across all emails. */
const WRONG_OF_ADDRESS_MAX = 50;
/**
 * Limit on correct attempts per email and IP address, because checking a correct password costs as much as checking a
 * wrong one.
 */
const CORRECT_MAX = 60;
/** Maximum number of tenants to search for an email, suspended ones last. Each requires a password check. */
const TENANTS_MAX = 10;

/** Normalizes an email for comparison. */
export const plainEmail = (email: string): string => email.trim().toLowerCase();

/** Limits on guesses of a user's password or second factor. */
const guessLimits = (email: string): readonly AttemptLimit[] => [
  { target: `sign-in ${plainEmail(email)}`, most: WRONG_MAX, within_s: WITHIN_s },
  { target: "sign-in", most: WRONG_OF_ADDRESS_MAX, within_s: WITHIN_s },
];

/** Limits on password checks, including correct ones. */
const passwordLimits = (email: string): readonly AttemptLimit[] => [
  ...guessLimits(email),
  {
    target: `password ${plainEmail(email)}`,
    most: CORRECT_MAX,
    within_s: WITHIN_s,
    isOfCorrect: true,
  },
];

/** The email in a sign-in attempt, and the IP address of the request. */
interface Place {
  readonly email: string;
  readonly from: string;
}

/** Checks a second-factor code, subject to the limits on guesses. */
export const tryingCode = <T>(
  deps: AttemptDeps,
  { email, from }: Place,
  attempted: Attempt<T>,
): Promise<T> => attempt(deps, guessLimits(email), from, attempted);

/** Checks a password, subject to the limits on password checks. */
export const tryingPassword = <T>(
  deps: AttemptDeps,
  { email, from }: Place,
  attempted: Attempt<T>,
): Promise<T> => attempt(deps, passwordLimits(email), from, attempted);

export const personActor = (
  { id, name }: { readonly id: string; readonly name: string },
  requestId: string,
): Actor => ({ kind: "person", id, name, requestId });

type Outcome =
  | { readonly kind: "wrong"; readonly candidates: readonly Candidate[] }
  | { readonly kind: "suspended" }
  | { readonly kind: "needs code" }
  | { readonly kind: "wrong code"; readonly person: Candidate }
  | { readonly kind: "paused"; readonly error: AppError }
  | { readonly kind: "several"; readonly found: readonly Candidate[] }
  | { readonly kind: "right"; readonly person: Candidate };

/**
 * Starts a session. Throws:
 * - 401 for a wrong email or password, with the same message and timing for both
 * - 401 with `second_factor` if the password is correct but the code is missing or wrong
 * - 409 with `tenants` if the password is correct in several tenants
 * - 429 after too many attempts from this address
 * - 403 or 429 while the second factor is paused
 * - 403 if the tenant is suspended
 */
export async function signIn(
  deps: SignInDeps,
  sent: Credentials,
  request: FastifyRequest,
): Promise<Signed> {
  const place = { email: sent.email, from: request.ip };
  const outcome = await tryingPassword(deps, place, {
    make: () => checkCredentials(deps, sent, request),
    isWrong: ({ kind }) => kind === "wrong" || kind === "wrong code",
    isUnknown: (outcome) => outcome.kind === "wrong" && outcome.candidates.length === 0,
  });
  switch (outcome.kind) {
    case "wrong":
      noteFailure(deps, request, "wrong_password", outcome.candidates);
      throw new AppError("wrong_credentials", { headers: CHALLENGE });
    case "suspended":
      throw tenantSuspended();
    case "needs code":
      throw needsCode();
    case "wrong code":
      noteFailure(deps, request, "wrong_second_factor", [outcome.person]);
      throw wrongCode();
    case "paused":
      throw outcome.error;
    case "several":
      throw new AppError("conflict", {
        detail: "This email and password are valid in several tenants; send tenant_id as well",
        members: {
          tenants: outcome.found.map(({ tenant_id, tenant_name, tenant_handle }) => ({
            id: tenant_id,
            name: tenant_name,
            handle: tenant_handle,
          })),
        },
      });
    case "right":
      return startSession(deps, outcome.person, sent, request);
  }
}

const CHALLENGE = { "www-authenticate": 'Bearer realm="leadport"' };
const SECOND = { members: { second_factor: true }, headers: CHALLENGE };

const needsCode = (): AppError => new AppError("second_factor_needed", SECOND);
const wrongCode = (): AppError => new AppError("wrong_second_factor", SECOND);

async function checkCredentials(
  deps: SignInDeps,
  sent: Credentials,
  request: FastifyRequest,
): Promise<Outcome> {
  const { passwords } = deps;
  const candidates = await findCandidates(deps.sql, sent);
  const found: Candidate[] = [];
  for (const person of candidates) {
    if (await passwords.matches(request, person.password_hash, sent.password)) found.push(person);
  }
  if (candidates.length === 0) await passwords.matches(request, undefined, sent.password);
  if (found.length === 0) return { kind: "wrong", candidates };
  const open = found.filter((one) => !one.tenant_is_suspended);
  const [person, ...others] = open;
  if (person === undefined) return { kind: "suspended" };
  if (others.length > 0) return { kind: "several", found: open };
  const { id, name, totp, tenant_id: tenantId } = person;
  if (totp === null) return { kind: "right", person };
  if (sent.code === undefined && sent.recovery_code === undefined) return { kind: "needs code" };
  const account = { tenantId, id, name, email: plainEmail(sent.email), totp };
  try {
    const isTaken = await tryCode(deps, account, sent, { requestId: request.id });
    return isTaken ? { kind: "right", person } : { kind: "wrong code", person };
  } catch (error) {
    // Return the error instead of throwing it, so that the password check is counted.
    if (isPaused(error)) return { kind: "paused", error };
    throw error;
  }
}

const findCandidates = (
  db: Db,
  { email, tenant_id = null }: { readonly email: string; readonly tenant_id?: string | null },
): Promise<readonly Candidate[]> =>
  run<Candidate[]>(db)`
    select p.tenant_id, n.name as tenant_name, n.handle as tenant_handle, p.id, p.name,
           p.password_hash, p.totp, n.is_suspended as tenant_is_suspended
      from people p join tenants n on n.id = p.tenant_id
     where p.email = ${plainEmail(email)} and p.password_hash is not null and p.role is not null
       and not p.is_suspended and (${tenant_id}::text is null or p.tenant_id::text = ${tenant_id})
     order by n.is_suspended, p.last_used_ts desc nulls last, p.tenant_id
     limit ${TENANTS_MAX}`;

/** Starts the session, unless the user was suspended or their password was changed in the meantime. */
async function startSession(
  { sql: db, passwords, clock, makeId }: SignInDeps,
  person: Candidate,
  { password, remember = false }: Credentials,
  request: FastifyRequest,
): Promise<Signed> {
  const { tenant_id: tenantId, password_hash: before } = person;
  const after = isOutdated(before) ? await passwords.hash(request, password) : before;
  return transaction(db, async (tx) => {
    const { count } = await run(tx)`
      update people set password_hash = ${after}, last_used_ts = ${epochSeconds(clock)}
       where tenant_id = ${tenantId} and id = ${person.id} and password_hash = ${before}
         and not is_suspended`;
    if (count !== 1) throw new AppError("wrong_credentials", { headers: CHALLENGE });
    const scope = { db: tx, tenantId, actor: personActor(person, request.id) };
    const session = await createSession(scope, { clock, makeId }, person.id, { request, remember });
    await logChange(scope, makeId, {
      subjectType: "person",
      subjectId: person.id,
      action: "signed_in",
      fields: {},
    });
    return { ...session, tenantId };
  });
}

/** The user of a link. May have a second factor. */
export type LinkAccount = Omit<CodeAccount, "totp"> & { readonly totp: string | null };

/**
 * Checks the second factor of a link's user, if there is one, and counts wrong codes. Throws 401 if the code is missing
 * or wrong, as in a sign-in, and 404 if the link has become invalid in the meantime.
 */
export async function checkSecondFactor(
  deps: SignInDeps,
  { totp, ...account }: LinkAccount,
  codes: SecondFactorCodes,
  { linkId, request }: { readonly linkId: string; readonly request: FastifyRequest },
): Promise<void> {
  if (totp === null) return;
  if (codes.code === undefined && codes.recovery_code === undefined) throw needsCode();
  const isTaken = await tryingCode(
    deps,
    { email: account.email, from: request.ip },
    {
      make: () => tryCode(deps, { ...account, totp }, codes, { requestId: request.id, linkId }),
      isWrong: (taken) => !taken,
    },
  );
  if (isTaken) return;
  const { tenantId: tenant_id, id } = account;
  noteFailure(deps, request, "wrong_second_factor", [{ tenant_id, id }]);
  throw wrongCode();
}

/** Logs a failed sign-in, and adds an audit entry for each user with this email. */
function noteFailure(
  { refusals }: SignInDeps,
  { ip: from, id: requestId }: FastifyRequest,
  reason: "wrong_password" | "wrong_second_factor",
  users: readonly Pick<Candidate, "tenant_id" | "id">[],
): void {
  const refusal = { action: "sign_in_failed", reason, from, requestId } as const;
  if (users.length === 0) refusals.note({ ...refusal, reason: "unknown_account" });
  for (const { tenant_id: tenantId, id: subjectId } of users) {
    refusals.note(refusal, { tenantId, subjectType: "person", subjectId });
  }
}

/** Returns a validation error for a member of the body. The input is masked. */
const refusedAt = (member: string, faults: readonly Fault[]): ValidationError =>
  new ValidationError(faults.map((fault) => ({ ...fault, loc: ["body", member], input: "***" })));

export const refusal = (member: string, sentence: string): ValidationError =>
  refusedAt(member, [valueError(sentence)]);

/** Throws 422 if a new password is not acceptable. */
export function refuseGuessable(member: string, faults: readonly Fault[]): void {
  if (faults.length > 0) throw refusedAt(member, faults);
}

export const missing = (member: string): Issue => ({
  type: "missing",
  loc: ["body", member],
  msg: "Field required",
  input: null,
});
