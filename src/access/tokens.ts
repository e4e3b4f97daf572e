/** Access tokens: opaque, stored as a hash, shown once. */

import { createHash, randomInt } from "node:crypto";
import { changedFields, logChange, type Scope, type TenantId } from "../audit/index.ts";
import { type Clock, epochSeconds, isoSeconds, type MakeId } from "../platform/clock/index.ts";
import { type Db, run, transaction, type Tx } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";
import type { JsonObject } from "../platform/json/index.ts";
import type { Person } from "./caller.ts";
import type { Permission } from "./permissions.ts";

const PREFIX = "lp_";
const LENGTH = 40;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

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
  await run(db)`
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
        name,
        userid: person.id,
        permissions,
        expires_ts,
        ip_allow_list,
        rate_limit,
        concurrency_limit,
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
  const [row] = await run(db)`
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
  const rows = await run(db)`
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
    const [before] = await run<Required<TokenPatch>[]>(tx)`
      select name, rate_limit, concurrency_limit from access_tokens
       where tenant_id = ${tenantId} and id = ${id} for update`;
    if (before === undefined) throw new AppError("not_found");
    const after = { ...before, ...patch };
    const fields = changedFields({ ...before }, after);
    if (Object.keys(fields).length > 0) {
      await run(tx)`
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
  tokens: { readonly forget: (tokenId: string) => void },
  id: string,
): Promise<void> {
  const { db, tenantId } = scope;
  await transaction(db, async (tx) => {
    const [gone] = await run(tx)`
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
