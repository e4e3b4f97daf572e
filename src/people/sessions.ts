/**
 * Sessions: an opaque random token in a cookie, stored as a hash. What one stands for is kept in memory
 * for at most a second, so that its end works within a second everywhere, and at once in the process
 * that takes it.
 */

import type { FastifyRequest } from "fastify";
import sql from "sql-template-tag";
import {
  drawSecret,
  hashOf,
  unauthenticated,
  type Caller,
  type OwnLimits,
  type Quotas,
  type Refusals,
} from "../access/index.ts";
import type { Scope, TenantId } from "../audit/index.ts";
import {
  type Clock,
  createMemory,
  epochSeconds,
  isoSeconds,
  type MakeId,
} from "../platform/clock/index.ts";
import { cookieIn, type CookieName } from "../platform/secrets/index.ts";
import { type Db, run, type Tx } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";
import type { JsonObject } from "../platform/json/index.ts";
import { plainAddress, refuseCrossSite } from "../platform/http/index.ts";
import { permissionsOf, ROLES, type Role } from "./roles.ts";

export const SESSION_COOKIE = "leadport" satisfies CookieName;
const LENGTH = 40;
const TOKEN = /^[A-Za-z0-9]{40}$/;
const REMEMBERED = { for_ms: 1000, most: 10_000 } as const;
const FLUSH_ms = 5000;
/** Without use, where the person did not ask to be remembered. */
const IDLE_s = 12 * 3600;
/** Whatever is done with it. */
export const LIFETIME_s = 30 * 86_400;
/** Of one person; the oldest end. */
const SESSIONS_MAX = 50;
const USER_AGENT_MAX = 300;

export interface SessionDeps {
  readonly clock: Clock;
  readonly makeId: MakeId;
}

/** A session that has begun: what goes into the cookie, and its id. */
export interface BegunSession {
  readonly id: string;
  readonly token: string;
}

/** Begins a session of a person; it takes the transaction of what led to it. */
export async function beginSession(
  { db, tenantId }: Pick<Scope<Tx>, "db" | "tenantId">,
  { clock, makeId }: SessionDeps,
  personId: string,
  { request, remember }: { readonly request: FastifyRequest; readonly remember: boolean },
): Promise<BegunSession> {
  const now_s = epochSeconds(clock);
  const session = { id: makeId(), token: drawSecret(LENGTH) };
  const user_agent = request.headers["user-agent"]?.slice(0, USER_AGENT_MAX) ?? null;
  await run(db)`
    insert into sessions (tenant_id, id, person_id, token_hash, address, user_agent, created_ts,
                          last_used_ts, idle_s, expires_ts)
    values (${tenantId}, ${session.id}, ${personId}, ${hashOf(session.token)},
            ${plainAddress(request.ip)}, ${user_agent}, ${now_s}, ${now_s},
            ${remember ? LIFETIME_s : IDLE_s}, ${now_s + LIFETIME_s})`;
  await run(db)`
    delete from sessions
     where tenant_id = ${tenantId} and person_id = ${personId}
       and id <= (select id from sessions
                   where tenant_id = ${tenantId} and person_id = ${personId}
                   order by id desc limit 1 offset ${SESSIONS_MAX})`;
  return session;
}

/** When a session ends as things stand: of what its columns say. */
export const endOf = (row: { last_used_ts: number; idle_s: number; expires_ts: number }): number =>
  Math.min(row.last_used_ts + row.idle_s, row.expires_ts);

/** The person's sessions that have not ended, newest first; `currentId` is the one that asks. */
export async function listSessions(
  db: Db,
  { tenant, person, credential }: Caller,
  now_s: number,
): Promise<readonly JsonObject[]> {
  const rows = await run(db)`
    select id, created_ts, last_used_ts, address, user_agent, idle_s, expires_ts from sessions
     where tenant_id = ${tenant.id} and person_id = ${person.id}
       and least(last_used_ts + idle_s, expires_ts) > ${now_s}
     order by id desc`;
  return rows.map(({ id, created_ts, last_used_ts, address, user_agent, idle_s, expires_ts }) => ({
    id,
    is_current: id === credential.id,
    created_ts,
    created_date: isoSeconds(created_ts),
    last_used_ts,
    last_used_date: isoSeconds(last_used_ts),
    address,
    user_agent,
    expires_ts: endOf({ last_used_ts, idle_s, expires_ts }),
  }));
}

/** Ends sessions of a person: all of them, all but one, or one. How many there were. */
export async function endSessions(
  { db, tenantId }: Pick<Scope, "db" | "tenantId">,
  personId: string,
  { only, except }: { readonly only?: string; readonly except?: string | undefined } = {},
): Promise<number> {
  const gone = await run(db)`
    delete from sessions
     where tenant_id = ${tenantId} and person_id = ${personId}
       and (${only ?? null}::text is null or id = ${only ?? null})
       and (${except ?? null}::text is null or id <> ${except ?? null})`;
  return gone.count;
}

/** What a session stands for. */
interface Holder extends Omit<Caller, "requestId"> {
  readonly end_s: number;
}

/** Turns cookies into callers, and writes down when each was last used, off the request path. */
export interface SessionRegistry {
  /** Throws 401 without a session that lasts, 403 for a request of another site's page. */
  readonly recognise: (request: FastifyRequest) => Promise<Caller>;
  /** The session that a request's cookie names; undefined without one that lasts. */
  readonly find: (request: FastifyRequest) => Promise<Caller | undefined>;
  /** What some session stands for was changed. */
  readonly forget: () => void;
  /** Writes what is not yet written, and stops writing. */
  readonly close: () => Promise<void>;
}

export function createSessionRegistry(
  db: Db,
  deps: { readonly clock: Clock; readonly quotas: Quotas; readonly refusals: Refusals },
): SessionRegistry {
  const { clock, quotas, refusals } = deps;
  const remembered = createMemory<Holder | undefined>(clock, REMEMBERED);
  const used = new Map<string, { readonly caller: Holder; readonly at_s: number }>();

  const flush = async (): Promise<void> => {
    // In one order in all processes, so that none waits for a row that another holds the other way round.
    const entries = [...used].toSorted(([a], [b]) => (a < b ? -1 : 1));
    used.clear();
    if (entries.length === 0) return;
    const uses = sql`
      unnest(${entries.map(([, { caller }]) => caller.tenant.id)}::uuid[],
             ${entries.map(([id]) => id)}::text[],
             ${entries.map(([, { caller }]) => caller.person.id)}::text[],
             ${entries.map(([, { at_s }]) => at_s)}::bigint[]) as u(tenant_id, id, person_id, at_s)`;
    await run(db)`
      update sessions s set last_used_ts = u.at_s from ${uses}
       where s.tenant_id = u.tenant_id and s.id = u.id and s.last_used_ts < u.at_s`;
    await run(db)`
      update people p set last_used_ts = u.at_s
        from (select tenant_id, person_id, max(at_s) as at_s from ${uses}
               group by 1, 2 order by 2) u
       where p.tenant_id = u.tenant_id and p.id = u.person_id
         and (p.last_used_ts is null or p.last_used_ts < u.at_s)`;
  };
  // A failure here loses a time of last use, and is met by the requests themselves.
  const timer = setInterval(() => void flush().catch(() => undefined), FLUSH_ms).unref();

  const holderOf = async (request: FastifyRequest): Promise<Holder | undefined> => {
    const token = cookieIn(request, SESSION_COOKIE) ?? "";
    return TOKEN.test(token)
      ? remembered.get(token, () => findHolder(db, quotas, token))
      : undefined;
  };
  const find = async (request: FastifyRequest): Promise<Caller | undefined> => {
    const holder = await holderOf(request);
    const now_s = epochSeconds(clock);
    if (holder === undefined || holder.end_s <= now_s) return undefined;
    used.set(holder.credential.id, { caller: holder, at_s: now_s });
    const { end_s: _, ...caller } = holder;
    return { ...caller, requestId: request.id };
  };
  return {
    find,
    recognise: async (request) => {
      const caller = await find(request);
      if (caller === undefined) {
        noteRefusal(refusals, request, await holderOf(request));
        throw unauthenticated();
      }
      refuseCrossSite(request);
      return caller;
    },
    forget: () => remembered.forget(),
    close: async () => {
      clearInterval(timer);
      await flush().catch(() => undefined);
    },
  };
}

/** Logs and audits a session that has ended. The holder is known if it ran out and was not ended. */
function noteRefusal(
  refusals: Refusals,
  request: FastifyRequest,
  holder: Holder | undefined,
): void {
  if (cookieIn(request, SESSION_COOKIE) === undefined) return;
  const refusal = {
    action: "credential_refused",
    from: request.ip,
    requestId: request.id,
    reason: holder === undefined ? "unknown_session" : "expired",
  } as const;
  const subject = holder && {
    tenantId: holder.tenant.id,
    subjectType: "person" as const,
    subjectId: holder.person.id,
  };
  refusals.note(refusal, subject);
}

async function findHolder(db: Db, quotas: Quotas, token: string): Promise<Holder | undefined> {
  const [row] = await run(db)`
    select s.tenant_id, s.id, s.last_used_ts, s.idle_s, s.expires_ts, p.id as person_id,
           p.name as person_name, p.role, n.name, n.default_country, n.timezone, n.currency,
           n.on_duplicate, n.max_records, n.max_bytes
      from sessions s
      join people p on p.tenant_id = s.tenant_id and p.id = s.person_id
      join tenants n on n.id = s.tenant_id
     where s.token_hash = ${hashOf(token)} and not p.is_suspended and p.role is not null`;
  if (row === undefined) return undefined;
  const { tenant_id: id, name, default_country, timezone, currency, on_duplicate } = row;
  const quota = quotas.of(id, row as unknown as OwnLimits);
  return {
    tenant: { id, name, default_country, timezone, currency, on_duplicate, quota },
    credential: { kind: "session", id: row["id"] as string },
    person: { id: row["person_id"] as string, name: row["person_name"] as string },
    permissions: ROLES[row["role"] as Role],
    rate_limit: null,
    concurrency_limit: null,
    end_s: endOf(row as unknown as Parameters<typeof endOf>[0]),
  };
}

/** What a page asks for first: who signed in, where, and with which rights. */
export async function readSession(
  db: Db | Tx,
  tenantId: TenantId,
  sessionId: string,
): Promise<JsonObject> {
  const [row] = await run(db)`
    select s.id, s.created_ts, s.last_used_ts, s.idle_s, s.expires_ts, p.id as person_id, p.name,
           p.email, p.role, p.totp is not null as has_second_factor,
           cardinality(p.recovery_code_hashes) as recovery_codes_left, n.name as tenant_name,
           n.currency, n.timezone, n.default_country
      from sessions s
      join people p on p.tenant_id = s.tenant_id and p.id = s.person_id
      join tenants n on n.id = s.tenant_id
     where s.tenant_id = ${tenantId} and s.id = ${sessionId}`;
  if (row === undefined) throw new AppError("unauthenticated");
  const { name, email, role, has_second_factor, recovery_codes_left } = row;
  const { tenant_name, currency, timezone, default_country } = row;
  const end = endOf(row as unknown as Parameters<typeof endOf>[0]);
  return {
    person: { id: row["person_id"], name, email, role, has_second_factor, recovery_codes_left },
    tenant: { id: tenantId, name: tenant_name, currency, timezone, default_country },
    permissions: permissionsOf(role as Role),
    session: { id: row["id"], created_ts: row["created_ts"], expires_ts: end },
  };
}
