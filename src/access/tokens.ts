/** Access tokens. They are opaque strings that are stored as hashes and shown only once. */

import { createHash, randomInt } from "node:crypto";
import { changedFields, logChange, type Scope, type TenantId } from "../audit/index.ts";
import { type Clock, epochSeconds } from "../platform/clock/index.ts";
import type { MakeId } from "../platform/ids/index.ts";
import {
  assigned,
  columns,
  type Db,
  inserted,
  run,
  transaction,
  type Tx,
} from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";
import { hasNoMembers } from "../platform/json/index.ts";
import { type Members, type Stored, storedNames, withDates } from "../platform/schemas/index.ts";
import type { Person } from "../tenants/index.ts";
import type { Permission } from "./permissions.ts";
import { type AccessToken, TOKEN, TOKEN_CHANGES, type TokenPatch } from "./token-bodies.ts";

const PREFIX = "lp_";
const LENGTH = 40;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

export interface AccessDeps {
  readonly clock: Clock;
  readonly makeId: MakeId;
}

/** A token to create. Omitted members default to null or an empty list. */
export interface NewToken extends Partial<
  Pick<AccessToken, "expires_ts" | "ip_allow_list" | "rate_limit" | "concurrency_limit">
> {
  readonly name: string;
  readonly person: Person;
  readonly permissions: readonly Permission[];
}

export const hashOf = (token: string): Buffer => createHash("sha256").update(token).digest();

/** Returns a random string of letters and digits. A string of 40 characters has 238 bits of entropy. */
export const drawSecret = (length: number): string =>
  Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");

/** Creates a token. Only this result contains the token itself. */
export const createAccessToken = (scope: Scope, deps: AccessDeps, token: NewToken) =>
  transaction(scope.db, (tx) => addAccessToken({ ...scope, db: tx }, deps, token));

/** Creates a token in the caller's transaction. */
export async function addAccessToken(
  scope: Scope<Tx>,
  { clock, makeId }: AccessDeps,
  token: NewToken,
): Promise<{ readonly id: string; readonly token: string }> {
  const { db, tenantId } = scope;
  const { person, ...rest } = token;
  const id = makeId();
  const secret = PREFIX + drawSecret(LENGTH);
  const given = { ip_allow_list: [], ...rest };
  const row = { tenant_id: tenantId, id, token_hash: hashOf(secret), person_id: person.id };
  await run(db)`
    insert into access_tokens ${inserted({ ...row, ...given, created_ts: epochSeconds(clock) })}`;
  await logChange(scope, makeId, {
    subjectType: "access_token",
    subjectId: id,
    action: "created",
    fields: changedFields({}, { ...given, userid: person.id }),
  });
  return { id, token: secret };
}

/** Returns the tenant of a valid token, or undefined if the token is unknown or expired. */
export async function findTokenTenant(
  db: Db,
  token: string,
  now_s: number,
): Promise<TenantId | undefined> {
  const [row] = await run<{ tenant_id: TenantId }[]>(db)`
    select tenant_id from access_tokens
     where token_hash = ${hashOf(token)} and (expires_ts is null or expires_ts > ${now_s})`;
  return row?.tenant_id;
}

const COLUMNS = storedNames(TOKEN, ["userid", "user_name"]).map((name) => `t.${name}`);

/** Returns the tenant's tokens, newest first, or only the token with the given id. */
export async function listAccessTokens(
  db: Db | Tx,
  tenantId: TenantId,
  id: string | null = null,
): Promise<readonly AccessToken[]> {
  const rows = await run<Stored<typeof TOKEN>[]>(db)`
    select ${columns(COLUMNS)}, t.person_id as userid, p.name as user_name
      from access_tokens t join people p on p.tenant_id = t.tenant_id and p.id = t.person_id
     where t.tenant_id = ${tenantId} and (${id}::text is null or t.id = ${id})
     order by t.id desc`;
  return rows.map(withDates);
}

/** Finds a token. Throws 404 if the tenant has no token with that id. */
export async function findAccessToken(
  db: Db | Tx,
  tenantId: TenantId,
  id: string,
): Promise<AccessToken> {
  const [found] = await listAccessTokens(db, tenantId, id);
  if (found === undefined) throw new AppError("not_found");
  return found;
}

/**
 * Changes a token. Other processes apply the change within a second. Writes nothing if nothing changes. Throws 404 if
 * the tenant has no token with that id.
 */
export const patchAccessToken = (
  scope: Scope,
  { makeId }: AccessDeps,
  id: string,
  patch: TokenPatch,
): Promise<AccessToken> =>
  transaction(scope.db, async (tx) => {
    const { tenantId } = scope;
    const [before] = await run<Members<typeof TOKEN_CHANGES>[]>(tx)`
      select ${columns(Object.keys(TOKEN_CHANGES))} from access_tokens
       where tenant_id = ${tenantId} and id = ${id} for update`;
    if (before === undefined) throw new AppError("not_found");
    const after = { ...before, ...patch };
    const fields = changedFields(before, after);
    if (!hasNoMembers(fields)) {
      await run(tx)`
        update access_tokens set ${assigned(after)}
         where tenant_id = ${tenantId} and id = ${id}`;
      await logChange({ ...scope, db: tx }, makeId, {
        subjectType: "access_token",
        subjectId: id,
        action: "updated",
        fields,
      });
    }
    return findAccessToken(tx, tenantId, id);
  });

/** Revokes a token. Throws 404 if the tenant has no token with that id. */
export async function revokeAccessToken(
  scope: Scope<Db>,
  { makeId }: AccessDeps,
  tokens: { readonly forget: (tokenId: string) => void },
  id: string,
): Promise<void> {
  const { db, tenantId } = scope;
  await transaction(db, async (tx) => {
    const [deleted] = await run<{ name: string }[]>(tx)`
      delete from access_tokens where tenant_id = ${tenantId} and id = ${id} returning name`;
    if (deleted === undefined) throw new AppError("not_found");
    await logChange({ ...scope, db: tx }, makeId, {
      subjectType: "access_token",
      subjectId: id,
      action: "deleted",
      fields: changedFields(deleted, {}),
    });
  });
  tokens.forget(id);
}
