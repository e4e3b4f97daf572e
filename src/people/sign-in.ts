/** Who signs in: an e-mail, a password, and the second factor of whoever has one. */

import type { FastifyRequest } from "fastify";
import {
  attempt,
  type Attempt,
  type AttemptDeps,
  type AttemptLimit,
  type Refusals,
} from "../access/index.ts";
import { logChange, type Actor, type TenantId } from "../audit/index.ts";
import { epochSeconds } from "../platform/clock/index.ts";
import { type Db, run, transaction } from "../platform/database/index.ts";
import { AppError, type Issue, ValidationError } from "../platform/errors/index.ts";
import { type Fault, valueError } from "../platform/validation/index.ts";
import type { Body } from "./bodies.ts";
import { isOutdated, type Passwords, type SecondFactorCodes } from "./credentials/index.ts";
import { beginSession, type NewSession } from "./sessions.ts";
import { isPaused, tryCode, type CodeAccount, type TryCodeDeps } from "./try-code.ts";

export interface SignInDeps extends TryCodeDeps {
  readonly passwords: Passwords;
  readonly refusals: Refusals;
}

type Credentials = Body<"signIn">;

/** A person who may sign in. */
interface Candidate {
  readonly tenant_id: TenantId;
  readonly tenant_name: string;
  readonly tenant_handle: string;
  readonly id: string;
  readonly name: string;
  readonly password_hash: string;
  readonly totp: string | null;
}

/** A session that has begun, and in which tenant. */
export interface Signed extends NewSession {
  readonly tenantId: TenantId;
}

const WITHIN_s = 15 * 60;
/** Of one e-mail; it may be that of nobody. */
const WRONG_MAX = 5;
/** Of all e-mails that are tried from one address. */
const WRONG_OF_ADDRESS_MAX = 50;
/** Correct passwords of one email from one address: a check costs as much as that of a wrong one. */
const CORRECT_MAX = 60;
/** In so many tenants an e-mail is looked for: each costs a check of the password. */
const TENANTS_MAX = 10;

/** E-mails are compared in lower case. */
export const plainEmail = (email: string): string => email.trim().toLowerCase();

/** By what guesses at a person's password or second factor are counted. */
const guessLimits = (email: string): readonly AttemptLimit[] => [
  { target: `sign-in ${plainEmail(email)}`, most: WRONG_MAX, within_s: WITHIN_s },
  { target: "sign-in", most: WRONG_OF_ADDRESS_MAX, within_s: WITHIN_s },
];

/** The same where the password is checked. */
const passwordLimits = (email: string): readonly AttemptLimit[] => [
  ...guessLimits(email),
  {
    target: `password ${plainEmail(email)}`,
    most: CORRECT_MAX,
    within_s: WITHIN_s,
    isOfCorrect: true,
  },
];

/** The email of an attempt, and the address that it comes from. */
interface Place {
  readonly email: string;
  readonly from: string;
}

/** Tries a code of a user's second factor, and counts it as a sign-in is counted. */
export const guessing = <T>(
  deps: AttemptDeps,
  { email, from }: Place,
  attempted: Attempt<T>,
): Promise<T> => attempt(deps, guessLimits(email), from, attempted);

/** Tries a user's password. Also limits correct ones. */
export const tryingPassword = <T>(
  deps: AttemptDeps,
  { email, from }: Place,
  attempted: Attempt<T>,
): Promise<T> => attempt(deps, passwordLimits(email), from, attempted);

export const personActor = (
  { id, name }: { readonly id: string; readonly name: string },
  requestId: string,
): Actor => ({ kind: "person", id, name, requestId });

/** What came of an attempt. */
type Outcome =
  | { readonly kind: "wrong"; readonly candidates: readonly Candidate[] }
  | { readonly kind: "needs code" }
  | { readonly kind: "wrong code"; readonly person: Candidate }
  | { readonly kind: "paused"; readonly error: AppError }
  | { readonly kind: "several"; readonly found: readonly Candidate[] }
  | { readonly kind: "right"; readonly person: Candidate };

/**
 * Begins a session. Throws 401 for a wrong e-mail or password, which are not told apart and take the
 * same work; 401 with `second_factor` where the password was right and a code is missing or wrong; 409
 * with `tenants` where it is right in several; 429 after too many attempts from this address; 403 or 429
 * while the second factor is paused.
 */
export async function signIn(
  deps: SignInDeps,
  sent: Credentials,
  request: FastifyRequest,
): Promise<Signed> {
  const place = { email: sent.email, from: request.ip };
  const outcome = await tryingPassword(deps, place, {
    make: () => judge(deps, sent, request),
    isWrong: ({ kind }) => kind === "wrong" || kind === "wrong code",
    isUnknown: (outcome) => outcome.kind === "wrong" && outcome.candidates.length === 0,
  });
  switch (outcome.kind) {
    case "wrong":
      noteFailure(deps, request, "wrong_password", outcome.candidates);
      throw new AppError("wrong_credentials", { headers: CHALLENGE });
    case "needs code":
      throw needsCode();
    case "wrong code":
      noteFailure(deps, request, "wrong_second_factor", [outcome.person]);
      throw wrongCode();
    case "paused":
      throw outcome.error;
    case "several":
      throw new AppError("conflict", {
        detail: "This e-mail has this password in several tenants; send tenant_id, too",
        members: {
          tenants: outcome.found.map(({ tenant_id, tenant_name, tenant_handle }) => ({
            id: tenant_id,
            name: tenant_name,
            handle: tenant_handle,
          })),
        },
      });
    case "right":
      return enter(deps, outcome.person, sent, request);
  }
}

const CHALLENGE = { "www-authenticate": 'Bearer realm="leadport"' };
const SECOND = { members: { second_factor: true }, headers: CHALLENGE };

const needsCode = (): AppError => new AppError("second_factor_needed", SECOND);
const wrongCode = (): AppError => new AppError("wrong_second_factor", SECOND);

async function judge(
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
  const [person, ...others] = found;
  if (person === undefined) return { kind: "wrong", candidates };
  if (others.length > 0) return { kind: "several", found };
  const { id, name, totp, tenant_id: tenantId } = person;
  if (totp === null) return { kind: "right", person };
  if (sent.code === undefined && sent.recovery_code === undefined) return { kind: "needs code" };
  const account = { tenantId, id, name, email: plainEmail(sent.email), totp };
  try {
    const isTaken = await tryCode(deps, account, sent, { requestId: request.id });
    return isTaken ? { kind: "right", person } : { kind: "wrong code", person };
  } catch (error) {
    // Returned and not thrown, so that the check of the password is counted.
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
           p.password_hash, p.totp
      from people p join tenants n on n.id = p.tenant_id
     where p.email = ${plainEmail(email)} and p.password_hash is not null and p.role is not null
       and not p.is_suspended and (${tenant_id}::text is null or p.tenant_id::text = ${tenant_id})
     order by p.last_used_ts desc nulls last, p.tenant_id
     limit ${TENANTS_MAX}`;

/** Begins the session, unless the person was suspended or has another password by now. */
async function enter(
  { sql: db, passwords, clock, makeId }: SignInDeps,
  person: Candidate,
  { password, remember = false }: Credentials,
  request: FastifyRequest,
): Promise<Signed> {
  const { tenant_id: tenantId, password_hash: before } = person;
  const after = isOutdated(before) ? await passwords.hash(request, password) : before;
  return transaction(db, async (tx) => {
    const same = await run(tx)`
      update people set password_hash = ${after}, last_used_ts = ${epochSeconds(clock)}
       where tenant_id = ${tenantId} and id = ${person.id} and password_hash = ${before}
         and not is_suspended`;
    if (same.count !== 1) throw new AppError("wrong_credentials", { headers: CHALLENGE });
    const scope = { db: tx, tenantId, actor: personActor(person, request.id) };
    const session = await beginSession(scope, { clock, makeId }, person.id, { request, remember });
    await logChange(scope, makeId, {
      subjectType: "person",
      subjectId: person.id,
      action: "signed_in",
      fields: {},
    });
    return { ...session, tenantId };
  });
}

/** The user whom a link belongs to, who may have a second factor. */
export type LinkAccount = Omit<CodeAccount, "totp"> & { readonly totp: string | null };

/**
 * Asks the user of a link for a code if they have a second factor, and counts a wrong one. Throws 401 as
 * a sign-in does, 404 where the link ended meanwhile.
 */
export async function askSecondFactor(
  deps: SignInDeps,
  { totp, ...account }: LinkAccount,
  codes: SecondFactorCodes,
  { linkId, request }: { readonly linkId: string; readonly request: FastifyRequest },
): Promise<void> {
  if (totp === null) return;
  if (codes.code === undefined && codes.recovery_code === undefined) throw needsCode();
  const isTaken = await guessing(
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

/** Logs and audits a failed sign-in: of each user with this email, or of nobody. */
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

/** A 422 at a member of the body; what was sent is not repeated. */
const refusedAt = (member: string, faults: readonly Fault[]): ValidationError =>
  new ValidationError(faults.map((fault) => ({ ...fault, loc: ["body", member], input: "***" })));

export const refusal = (member: string, sentence: string): ValidationError =>
  refusedAt(member, [valueError(sentence)]);

/** Throws 422 where something is wrong with a new password. */
export function refuseGuessable(member: string, faults: readonly Fault[]): void {
  if (faults.length > 0) throw refusedAt(member, faults);
}

export const missing = (member: string): Issue => ({
  type: "missing",
  loc: ["body", member],
  msg: "Field required",
  input: null,
});
