/** Sessions: opaque random tokens in a cookie, stored as hashes. */

import type { FastifyRequest } from "fastify";
import { drawSecret, hashOf, type Caller } from "../access/index.ts";
import type { Scope, TenantId } from "../audit/index.ts";
import { type Clock, epochSeconds } from "../platform/clock/index.ts";
import type { MakeId } from "../platform/ids/index.ts";
import { columns, type Db, inserted, run, type Tx } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";
import { plainAddress } from "../platform/addresses/index.ts";
import { type Stored, storedNames, withDates } from "../platform/schemas/index.ts";
import { SESSION, type Session, type SignedIn } from "./bodies.ts";
import { permissionsOf } from "./roles.ts";

const LENGTH = 40;
/** Maximum idle time if the user did not choose to stay signed in. */
const IDLE_s = 12 * 3600;
/** Maximum lifetime of a session, even if it is used continuously. */
export const LIFETIME_s = 30 * 86_400;
/** Maximum number of sessions per user. If a user exceeds it, the oldest session ends. */
const SESSIONS_MAX = 50;
const USER_AGENT_MAX = 300;

export interface SessionDeps {
  readonly clock: Clock;
  readonly makeId: MakeId;
}

/** A new session: its id, and the token for the cookie. */
export interface NewSession {
  readonly id: string;
  readonly token: string;
}

/** Creates a session for a user, in the same transaction as the sign-in. */
export async function createSession(
  { db, tenantId }: Pick<Scope<Tx>, "db" | "tenantId">,
  { clock, makeId }: SessionDeps,
  personId: string,
  { request, remember }: { readonly request: FastifyRequest; readonly remember: boolean },
): Promise<NewSession> {
  const now_s = epochSeconds(clock);
  const session = { id: makeId(), token: drawSecret(LENGTH) };
  const row = {
    tenant_id: tenantId,
    id: session.id,
    person_id: personId,
    token_hash: hashOf(session.token),
    address: plainAddress(request.ip),
    user_agent: request.headers["user-agent"]?.slice(0, USER_AGENT_MAX) ?? null,
    created_ts: now_s,
    last_used_ts: now_s,
    idle_s: remember ? LIFETIME_s : IDLE_s,
    expires_ts: now_s + LIFETIME_s,
  };
  await run(db)`insert into sessions ${inserted(row)}`;
  await run(db)`
    delete from sessions
     where tenant_id = ${tenantId} and person_id = ${personId}
       and id <= (select id from sessions
                   where tenant_id = ${tenantId} and person_id = ${personId}
                   order by id desc limit 1 offset ${SESSIONS_MAX})`;
  return session;
}

/** The columns that determine when a session ends. */
export interface Lifetime {
  readonly last_used_ts: number;
  readonly idle_s: number;
  readonly expires_ts: number;
}

/** Returns when a session ends if it is not used again. */
export const endOf = ({ last_used_ts, idle_s, expires_ts }: Lifetime): number =>
  Math.min(last_used_ts + idle_s, expires_ts);

const COLUMNS = storedNames(SESSION, ["is_current"]);

/** Returns the user's active sessions, newest first. `credential` is the current session. */
export async function listSessions(
  db: Db,
  { tenant, person, credential }: Caller,
  now_s: number,
): Promise<readonly Session[]> {
  const rows = await run<(Omit<Stored<typeof SESSION>, "is_current"> & Lifetime)[]>(db)`
    select ${columns(COLUMNS)}, idle_s from sessions
     where tenant_id = ${tenant.id} and person_id = ${person.id}
       and least(last_used_ts + idle_s, expires_ts) > ${now_s}
     order by id desc`;
  return rows.map(({ idle_s, expires_ts, ...session }) => ({
    ...withDates(session),
    is_current: session.id === credential.id,
    expires_ts: endOf({ ...session, idle_s, expires_ts }),
  }));
}

/** Ends a user's sessions: all, all except one, or one. Returns how many were ended. */
export async function endSessions(
  { db, tenantId }: Pick<Scope, "db" | "tenantId">,
  personId: string,
  { only, except }: { readonly only?: string; readonly except?: string | undefined } = {},
): Promise<number> {
  const { count } = await run(db)`
    delete from sessions
     where tenant_id = ${tenantId} and person_id = ${personId}
       and (${only ?? null}::text is null or id = ${only ?? null})
       and (${except ?? null}::text is null or id <> ${except ?? null})`;
  return count;
}

interface SessionRow
  extends
    Lifetime,
    Omit<SignedIn["session"], "expires_ts">,
    Omit<SignedIn["person"], "id">,
    Omit<SignedIn["tenant"], "id" | "name"> {
  readonly person_id: string;
  readonly tenant_name: string;
}

/** Returns the data that pages load first: the user, tenant, permissions and session. */
export async function readSession(
  db: Db | Tx,
  tenantId: TenantId,
  sessionId: string,
): Promise<SignedIn> {
  const [row] = await run<SessionRow[]>(db)`
    select s.id, s.created_ts, s.last_used_ts, s.idle_s, s.expires_ts, p.id as person_id, p.name,
           p.email, p.role, p.totp is not null as has_second_factor,
           cardinality(p.recovery_code_hashes) as recovery_codes_left, n.name as tenant_name,
           n.currency, n.timezone, n.default_country, n.is_demo
      from sessions s
      join people p on p.tenant_id = s.tenant_id and p.id = s.person_id
      join tenants n on n.id = s.tenant_id
     where s.tenant_id = ${tenantId} and s.id = ${sessionId}`;
  if (row === undefined) throw new AppError("unauthenticated");
  const { id, created_ts, last_used_ts, idle_s, expires_ts, ...of } = row;
  const { tenant_name, currency, timezone, default_country, is_demo, ...member } = of;
  const { person_id, ...person } = member;
  return {
    person: { id: person_id, ...person },
    tenant: { id: tenantId, name: tenant_name, currency, timezone, default_country, is_demo },
    permissions: permissionsOf(person.role),
    session: { id, created_ts, expires_ts: endOf({ last_used_ts, idle_s, expires_ts }) },
  };
}
