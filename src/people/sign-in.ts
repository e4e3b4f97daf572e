/** Who signs in: an e-mail, a password, and the second factor of whoever has one. */

import type { FastifyRequest } from "fastify";
import { attempt, type AttemptLimit } from "../access/index.ts";
import { logChange, type Actor, type TenantId } from "../audit/index.ts";
import { epochSeconds } from "../platform/clock.ts";
import { transaction, type Db } from "../platform/db.ts";
import { AppError, ValidationError } from "../platform/errors.ts";
import { valueError } from "../platform/validation.ts";
import { isOutdated, type Passwords } from "./passwords.ts";
import { takeCode, type SecondFactorCodes, type SecondFactorDeps } from "./second-factor.ts";
import { beginSession, type BegunSession, type SessionDeps } from "./sessions.ts";

export interface SignInDeps extends SessionDeps, SecondFactorDeps {
  readonly sql: Db;
  readonly passwords: Passwords;
}

export interface Credentials extends SecondFactorCodes {
  readonly email: string;
  readonly password: string;
  readonly remember?: boolean;
  /** Needed where the e-mail has this password in several tenants. */
  readonly tenant_id?: string;
}

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
export interface Signed extends BegunSession {
  readonly tenantId: TenantId;
}

const WITHIN_s = 15 * 60;
/** Of one e-mail; it may be that of nobody. */
const WRONG_MAX = 5;
/** Of all e-mails that are tried from one address. */
const WRONG_OF_ADDRESS_MAX = 50;
/** In so many tenants an e-mail is looked for: each costs a check of the password. */
const TENANTS_MAX = 10;

/** E-mails are compared in lower case. */
export const plainEmail = (email: string): string => email.trim().toLowerCase();

/** By what guesses at a person's password or second factor are counted. */
const guessLimits = (email: string): readonly AttemptLimit[] => [
  { target: `sign-in ${plainEmail(email)}`, most: WRONG_MAX, within_s: WITHIN_s },
  { target: "sign-in", most: WRONG_OF_ADDRESS_MAX, within_s: WITHIN_s },
];

/** Makes an attempt on what a person alone knows, and counts it as a sign-in is counted. */
export const guessing = <T>(
  { sql }: Pick<SignInDeps, "sql">,
  { email, from }: { readonly email: string; readonly from: string },
  attempted: Parameters<typeof attempt<T>>[3],
): Promise<T> => attempt(sql, guessLimits(email), from, attempted);

export const personActor = (
  { id, name }: { readonly id: string; readonly name: string },
  requestId: string,
): Actor => ({ kind: "person", id, name, requestId });

/** What came of an attempt. */
type Outcome =
  | { readonly kind: "wrong" | "needs code" | "wrong code" }
  | { readonly kind: "several"; readonly found: readonly Candidate[] }
  | { readonly kind: "right"; readonly person: Candidate };

/**
 * Begins a session. Throws 401 for a wrong e-mail or password, which are not told apart and take the
 * same work; 401 with `second_factor` where the password was right and a code is missing or wrong; 409
 * with `tenants` where it is right in several; 429 after too many wrong attempts from this address.
 */
export async function signIn(
  deps: SignInDeps,
  sent: Credentials,
  request: FastifyRequest,
): Promise<Signed> {
  const place = { email: sent.email, from: request.ip };
  const outcome = await guessing(deps, place, {
    make: () => judge(deps, sent),
    isWrong: ({ kind }) => kind === "wrong" || kind === "wrong code",
  });
  switch (outcome.kind) {
    case "wrong":
      throw new AppError("wrong_credentials", { headers: CHALLENGE });
    case "needs code":
      throw needsCode();
    case "wrong code":
      throw wrongCode();
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

async function judge(deps: SignInDeps, sent: Credentials): Promise<Outcome> {
  const candidates = await findCandidates(deps.sql, sent);
  const found: Candidate[] = [];
  for (const person of candidates) {
    if (await deps.passwords.matches(person.password_hash, sent.password)) found.push(person);
  }
  if (candidates.length === 0) await deps.passwords.matches(undefined, sent.password);
  const [person, ...others] = found;
  if (person === undefined) return { kind: "wrong" };
  if (others.length > 0) return { kind: "several", found };
  const { id, totp, tenant_id } = person;
  if (totp === null) return { kind: "right", person };
  if (sent.code === undefined && sent.recovery_code === undefined) return { kind: "needs code" };
  const scope = { db: deps.sql, tenantId: tenant_id };
  const isTaken = await takeCode(scope, deps, { id, totp }, sent);
  return isTaken ? { kind: "right", person } : { kind: "wrong code" };
}

const findCandidates = (
  db: Db,
  { email, tenant_id = null }: { readonly email: string; readonly tenant_id?: string | null },
): Promise<readonly Candidate[]> => db<Candidate[]>`
    select p.tenant_id, n.name as tenant_name, n.handle as tenant_handle, p.id, p.name,
           p.password_hash, p.totp
      from people p join tenants n on n.id = p.tenant_id
     where p.email = ${plainEmail(email)} and p.password_hash is not null and p.role is not null
       and not p.is_suspended and (${tenant_id}::text is null or p.tenant_id::text = ${tenant_id})
     order by p.last_used_ts desc nulls last, p.tenant_id
     limit ${TENANTS_MAX}`;

/** Begins the session, unless the person was suspended or has another password by now. */
async function enter(
  { sql, passwords, clock, makeId }: SignInDeps,
  person: Candidate,
  { password, remember = false }: Credentials,
  request: FastifyRequest,
): Promise<Signed> {
  const { tenant_id: tenantId, password_hash: before } = person;
  const after = isOutdated(before) ? await passwords.hash(password) : before;
  return transaction(sql, async (tx) => {
    const same = await tx`
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

/** A person who proves anew who they are. */
export interface Proving {
  readonly tenantId: TenantId;
  readonly id: string;
  readonly email: string;
  readonly totp: string | null;
}

/**
 * Asks a person's second factor where there is one, and counts what is wrong. Throws 401 as a sign-in
 * does.
 */
export async function askSecondFactor(
  deps: SignInDeps,
  { tenantId, id, email, totp }: Proving,
  codes: SecondFactorCodes,
  from: string,
): Promise<void> {
  if (totp === null) return;
  if (codes.code === undefined && codes.recovery_code === undefined) throw needsCode();
  const isTaken = await guessing(
    deps,
    { email, from },
    {
      make: () => takeCode({ db: deps.sql, tenantId }, deps, { id, totp }, codes),
      isWrong: (taken) => !taken,
    },
  );
  if (!isTaken) throw wrongCode();
}

/**
 * Asks the password of somebody who is signed in, and counts a wrong one. Throws 422 at the member of
 * the body that holds it.
 */
export async function askPassword(
  deps: Pick<SignInDeps, "sql" | "passwords">,
  { email, password_hash }: { readonly email: string; readonly password_hash: string | null },
  { member, password, from }: { member: string; password: string; from: string },
): Promise<void> {
  const isRight = await guessing(
    deps,
    { email, from },
    {
      make: () => deps.passwords.matches(password_hash, password),
      isWrong: (right) => !right,
    },
  );
  if (!isRight) throw refusal(member, "this is not your password");
}

/** A 422 at a member of the body; what was sent is not repeated. */
export const refusal = (member: string, sentence: string): ValidationError =>
  new ValidationError([{ ...valueError(sentence), loc: ["body", member], input: "***" }]);
