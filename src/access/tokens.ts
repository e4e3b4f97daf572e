/**
 * Access tokens (D9.2): opaque, stored as a hash, shown once. What a token stands for is kept in memory
 * for at most a second, so that a revocation works within a second everywhere, and at once in the
 * process that takes it.
 */

import { createHash, randomInt } from "node:crypto";
import { changedFields, logChange, type Scope, type TenantId } from "../audit/index.ts";
import { epochSeconds, isoSeconds, type Clock } from "../platform/clock.ts";
import { transaction, type Db, type Tx } from "../platform/db.ts";
import { AppError } from "../platform/errors.ts";
import type { MakeId } from "../platform/ids.ts";
import type { JsonObject } from "../platform/json.ts";
import { createMemory } from "../platform/remember.ts";
import { createAddressList, type AddressList } from "./address-list.ts";
import type { Caller, Person } from "./caller.ts";
import type { Permission } from "./permissions.ts";
import type { Quotas } from "./quotas.ts";
import type { Refusal, Refusals } from "./refusals.ts";
import type { OwnLimits } from "./usage.ts";

const PREFIX = "lp_";
const LENGTH = 40;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const TOKEN = /^lp_[A-Za-z0-9]{40}$/;
const REMEMBERED = { for_ms: 1000, most: 10_000 } as const;
const FLUSH_ms = 5000;

export interface AccessDeps {
  readonly clock: Clock;
  readonly makeId: MakeId;
}

export interface NewToken {
  readonly name: string;
  readonly person: Person;
  readonly permissions: readonly Permission[];
  readonly expires_ts?: number | null;
  /** Addresses and ranges from which it may be used; empty is no restriction. */
  readonly ip_allow_list?: readonly string[];
  /** Requests a minute; null is the installation's limit, 0 is none. */
  readonly rate_limit?: number | null;
  /** Requests in progress at once in a process; null is the installation's limit, 0 is none. */
  readonly concurrency_limit?: number | null;
}

export const hashOf = (token: string): Buffer => createHash("sha256").update(token).digest();

/** So many random letters and digits: of 40 there are 2^238. */
export const drawSecret = (length: number): string =>
  Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");

/** Makes a token; the answer is the only place where it ever stands (D9.2). */
export const createAccessToken = (scope: Scope, deps: AccessDeps, token: NewToken) =>
  transaction(scope.db, (tx) => addAccessToken({ ...scope, db: tx }, deps, token));

/** The same, in a transaction that does more. */
export async function addAccessToken(
  scope: Scope<Tx>,
  { clock, makeId }: AccessDeps,
  token: NewToken,
): Promise<{ readonly id: string; readonly token: string }> {
  const { db, tenantId } = scope;
  const { name, person, permissions, expires_ts = null, ip_allow_list = [] } = token;
  const { rate_limit = null, concurrency_limit = null } = token;
  const id = makeId();
  const secret = PREFIX + drawSecret(LENGTH);
  await db`
    insert into access_tokens (tenant_id, id, name, token_hash, person_id, permissions,
                               ip_allow_list, expires_ts, rate_limit, concurrency_limit, created_ts)
    values (${tenantId}, ${id}, ${name}, ${hashOf(secret)}, ${person.id}, ${[...permissions]},
            ${[...ip_allow_list]}, ${expires_ts}, ${rate_limit}, ${concurrency_limit},
            ${epochSeconds(clock)})`;
  await logChange(scope, makeId, {
    subjectType: "access_token",
    subjectId: id,
    action: "created",
    fields: changedFields(
      {},
      {
        ...{ name, userid: person.id, permissions, expires_ts, ip_allow_list },
        ...{ rate_limit, concurrency_limit },
      },
    ),
  });
  return { id, token: secret };
}

/** The tenant that a token opens at this moment; undefined if it opens none. */
export async function findTokenTenant(
  db: Db,
  token: string,
  now_s: number,
): Promise<TenantId | undefined> {
  const [row] = await db`
    select tenant_id from access_tokens
     where token_hash = ${hashOf(token)} and (expires_ts is null or expires_ts > ${now_s})`;
  return row?.["tenant_id"] as TenantId | undefined;
}

/** The tenant's tokens, newest first, or the one of that id; never the token itself. */
export async function listAccessTokens(
  db: Db | Tx,
  tenantId: TenantId,
  id?: string,
): Promise<readonly JsonObject[]> {
  const rows = await db`
    select t.id, t.name, t.person_id as userid, p.name as user_name, t.permissions,
           t.ip_allow_list, t.rate_limit, t.concurrency_limit, t.expires_ts, t.created_ts,
           t.last_used_ts
      from access_tokens t join people p on p.tenant_id = t.tenant_id and p.id = t.person_id
     where t.tenant_id = ${tenantId} and (${id ?? null}::text is null or t.id = ${id ?? null})
     order by t.id desc`;
  return rows.map((row) => {
    const iso = (name: string) => (row[name] === null ? null : isoSeconds(row[name] as number));
    return {
      ...row,
      expires_date: iso("expires_ts"),
      created_date: iso("created_ts"),
      last_used_date: iso("last_used_ts"),
    };
  });
}

/** What of a token may be changed. */
export interface TokenPatch {
  readonly name?: string;
  readonly rate_limit?: number | null;
  readonly concurrency_limit?: number | null;
}

/**
 * Changes a token; other processes follow within a second. Nothing is written where nothing differs.
 * Throws 404 where this tenant has none of that id.
 */
export const patchAccessToken = (
  scope: Scope,
  { makeId }: AccessDeps,
  id: string,
  patch: TokenPatch,
): Promise<JsonObject> =>
  transaction(scope.db, async (tx) => {
    const { tenantId } = scope;
    const [before] = await tx<Required<TokenPatch>[]>`
      select name, rate_limit, concurrency_limit from access_tokens
       where tenant_id = ${tenantId} and id = ${id} for update`;
    if (before === undefined) throw new AppError("not_found");
    const after = { ...before, ...patch };
    const fields = changedFields({ ...before }, after);
    if (Object.keys(fields).length > 0) {
      await tx`
        update access_tokens set name = ${after.name}, rate_limit = ${after.rate_limit},
               concurrency_limit = ${after.concurrency_limit}
         where tenant_id = ${tenantId} and id = ${id}`;
      await logChange({ ...scope, db: tx }, makeId, {
        subjectType: "access_token",
        subjectId: id,
        action: "updated",
        fields,
      });
    }
    const [told] = await listAccessTokens(tx, tenantId, id);
    return told as JsonObject;
  });

/** Ends a token. Throws 404 where this tenant has none of that id. */
export async function revokeAccessToken(
  scope: Scope<Db>,
  { makeId }: AccessDeps,
  tokens: TokenRegistry,
  id: string,
): Promise<void> {
  const { db, tenantId } = scope;
  await transaction(db, async (tx) => {
    const [gone] = await tx`
      delete from access_tokens where tenant_id = ${tenantId} and id = ${id} returning name`;
    if (gone === undefined) throw new AppError("not_found");
    await logChange({ ...scope, db: tx }, makeId, {
      subjectType: "access_token",
      subjectId: id,
      action: "deleted",
      fields: changedFields({ name: gone["name"] as string }, {}),
    });
  });
  tokens.forget(id);
}

/** What a token stands for. */
interface Holder extends Omit<Caller, "requestId"> {
  readonly expires_ts: number | null;
  readonly addresses: AddressList | undefined;
}

/** Turns tokens into callers, and writes down when each was last used, off the request path. */
export interface TokenRegistry {
  /** Throws 401, or 403 where the address is not on the token's list. */
  readonly recognise: (
    authorization: string | undefined,
    address: string,
    requestId: string,
  ) => Promise<Caller>;
  /** What a token, or any of them, stands for was changed. */
  readonly forget: (tokenId?: string) => void;
  /** Writes what is not yet written, and stops writing. */
  readonly close: () => Promise<void>;
}

export function createTokenRegistry(
  db: Db,
  clock: Clock,
  { refusals, quotas }: { readonly refusals: Refusals; readonly quotas: Quotas },
): TokenRegistry {
  const remembered = createMemory<Holder | undefined>(clock, REMEMBERED);
  const used = new Map<string, { readonly tenantId: TenantId; readonly at_s: number }>();

  const flush = async (): Promise<void> => {
    const entries = [...used];
    used.clear();
    for (const [id, { tenantId, at_s }] of entries) {
      await db`
        update access_tokens set last_used_ts = ${at_s}
         where tenant_id = ${tenantId} and id = ${id} and last_used_ts is distinct from ${at_s}`;
    }
  };
  // A failure here loses a time of last use, and is met by the requests themselves.
  const timer = setInterval(() => void flush().catch(() => undefined), FLUSH_ms).unref();

  const holderOf = async (token: string | undefined): Promise<Holder | undefined> =>
    token === undefined ? undefined : remembered.get(token, () => findHolder(db, quotas, token));

  return {
    recognise: async (authorization, address, requestId) => {
      const holder = await holderOf(tokenIn(authorization));
      const now_s = epochSeconds(clock);
      const note = (reason: Refusal["reason"]): void =>
        noteRefusal(refusals, { reason, from: address, requestId }, holder);
      if (holder === undefined) {
        if (authorization !== undefined) note("unknown_token");
        throw unauthenticated();
      }
      if (holder.expires_ts !== null && holder.expires_ts <= now_s) {
        note("expired");
        throw unauthenticated();
      }
      if (holder.addresses?.(address) === false) {
        note("address_not_allowed");
        throw new AppError("address_refused");
      }
      used.set(holder.credential.id, { tenantId: holder.tenant.id, at_s: now_s });
      const { expires_ts: _, addresses: __, ...caller } = holder;
      return { ...caller, requestId };
    },
    forget: (tokenId) => {
      remembered.forget();
      if (tokenId !== undefined) used.delete(tokenId);
    },
    close: async () => {
      clearInterval(timer);
      await flush().catch(() => undefined);
    },
  };
}

export const unauthenticated = (): AppError =>
  new AppError("unauthenticated", { headers: { "www-authenticate": 'Bearer realm="leadport"' } });

function noteRefusal(refusals: Refusals, refusal: Omit<Refusal, "action">, holder?: Holder): void {
  const subject = holder && {
    tenantId: holder.tenant.id,
    subjectType: "access_token" as const,
    subjectId: holder.credential.id,
  };
  refusals.note({ action: "credential_refused", ...refusal }, subject);
}

/** `Bearer <token>`, "bearer" in any letter case (D1.4); undefined if it is nothing like one of ours. */
function tokenIn(authorization: string | undefined): string | undefined {
  const token = /^bearer +(\S+) *$/i.exec(authorization ?? "")?.[1] ?? "";
  return TOKEN.test(token) ? token : undefined;
}

async function findHolder(db: Db, quotas: Quotas, token: string): Promise<Holder | undefined> {
  const [row] = await db`
    select t.tenant_id, t.id, t.permissions, t.expires_ts, t.ip_allow_list, t.rate_limit,
           t.concurrency_limit, t.person_id, p.name as person_name, n.name, n.default_country,
           n.timezone, n.currency, n.on_duplicate, n.max_records, n.max_bytes
      from access_tokens t
      join people p on p.tenant_id = t.tenant_id and p.id = t.person_id
      join tenants n on n.id = t.tenant_id
     where t.token_hash = ${hashOf(token)}`;
  if (row === undefined) return undefined;
  const { tenant_id: id, name, default_country, timezone, currency, on_duplicate } = row;
  const quota = quotas.of(id, row as unknown as OwnLimits);
  return {
    tenant: { id, name, default_country, timezone, currency, on_duplicate, quota },
    credential: { kind: "token", id: row["id"] as string },
    person: { id: row["person_id"] as string, name: row["person_name"] as string },
    permissions: row["permissions"] as Permission[],
    rate_limit: row["rate_limit"] as number | null,
    concurrency_limit: row["concurrency_limit"] as number | null,
    expires_ts: row["expires_ts"] as number | null,
    addresses: createAddressList(row["ip_allow_list"] as string[]),
  };
}
