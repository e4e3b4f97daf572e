/**
 * Finds the owners of credentials and caches them for at most one second. A revocation takes effect immediately in the
 * process that performs it, and within a second in all other processes.
 */

import sql, { raw, type Sql } from "sql-template-tag";
import type { TenantId } from "../audit/index.ts";
import type { Clock } from "../platform/clock/index.ts";
import { createMemory } from "../platform/cache/index.ts";
import { columns, type Db, run } from "../platform/database/index.ts";
import type { Caller, CallerCredential } from "./caller.ts";
import { type Tenant, tenantSuspended } from "../tenants/index.ts";
import type { Refusal, Refusals, RefusedSubject } from "../limits/index.ts";
import type { Quotas, OwnLimits } from "../quotas/index.ts";
import { hashOf } from "./tokens.ts";

const CACHE = { for_ms: 1000, most: 10_000 } as const;
const FLUSH_ms = 5000;

/** The caller that a credential identifies, without the id of a request. */
type Identified = Omit<Caller, "requestId">;

export interface Holder {
  readonly caller: Identified;
}

/** A kind of credential. `R` is the type of the additional columns in its rows. */
export interface CredentialKind<R, H extends Holder> {
  readonly kind: CallerCredential["kind"];
  readonly table: "access_tokens" | "sessions";
  /** The columns to read from the rows of the credential (`c`) and its user (`p`). */
  readonly columns: readonly (`c.${keyof R & string}` | `p.${keyof R & string}`)[];
  /** Returns the owner of a credential, or undefined if the credential is not valid. */
  readonly holderOf: (
    row: R,
    owner: Pick<Identified, "tenant" | "credential" | "person">,
  ) => H | undefined;
  /**
   * Stores the last-used times in additional tables. `uses` is an SQL table expression with the rows `u(tenant_id, id,
   * person_id, at_s)`.
   */
  readonly storeUses?: (uses: Sql) => Promise<unknown>;
  /** Describes a rejected credential for the audit log. */
  readonly subjectOf: (caller: Identified) => Omit<RefusedSubject, "tenantId">;
}

export interface RegistryDeps {
  readonly clock: Clock;
  readonly refusals: Refusals;
  readonly quotas: Quotas;
}

export interface CredentialRegistry<H extends Holder> {
  readonly find: (credential: string) => Promise<H | undefined>;
  /**
   * Returns the caller of a request. The last-used time is stored later, outside the request. Throws 403 if the tenant
   * is suspended.
   */
  readonly use: (holder: H, requestId: string, now_s: number) => Caller;
  /** Logs the rejection of a credential, and adds an audit entry if the credential's owner is known. */
  readonly noteRefusal: (refusal: Omit<Refusal, "action">, holder: H | undefined) => void;
  /**
   * Clears the cached owners. Call this after a change. If a credential was deleted, pass its id so that its unsaved
   * last-used time is discarded.
   */
  readonly forget: (credentialId?: string) => void;
  /** Stores the unsaved last-used times and stops. */
  readonly close: () => Promise<void>;
}

export function createCredentialRegistry<R, H extends Holder>(
  db: Db,
  { clock, refusals, quotas }: RegistryDeps,
  { storeUses, subjectOf, ...of }: CredentialKind<R, H>,
): CredentialRegistry<H> {
  const cached = createMemory<H | undefined>(clock, CACHE);
  const used = new Map<string, { readonly caller: Identified; readonly at_s: number }>();

  const find = async (credential: string): Promise<H | undefined> => {
    const [row] = await run<(Row & R)[]>(db)`
      select c.tenant_id, c.id, c.person_id, p.name as person_name, n.name, n.default_country,
             n.timezone, n.currency, n.on_duplicate, n.max_records, n.max_bytes, n.is_suspended as tenant_is_suspended,
             ${columns(of.columns)}
        from ${raw(of.table)} c
        join people p on p.tenant_id = c.tenant_id and p.id = c.person_id
        join tenants n on n.id = c.tenant_id
       where c.token_hash = ${hashOf(credential)}`;
    if (row === undefined) return undefined;
    const { tenant_id: id, name, default_country, timezone, currency, on_duplicate } = row;
    const { tenant_is_suspended: is_suspended } = row;
    const quota = quotas.of(id, row);
    return of.holderOf(row, {
      tenant: { id, name, default_country, timezone, currency, on_duplicate, quota, is_suspended },
      credential: { kind: of.kind, id: row.id },
      person: { id: row.person_id, name: row.person_name },
    });
  };
  const flush = async (): Promise<void> => {
    // All processes write the rows in the same order to prevent deadlocks.
    const entries = [...used].toSorted(([a], [b]) => (a < b ? -1 : 1));
    used.clear();
    if (entries.length === 0) return;
    const uses = sql`
      unnest(${entries.map(([, { caller }]) => caller.tenant.id)}::uuid[],
             ${entries.map(([id]) => id)}::text[],
             ${entries.map(([, { caller }]) => caller.person.id)}::text[],
             ${entries.map(([, { at_s }]) => at_s)}::bigint[]) as u(tenant_id, id, person_id, at_s)`;
    await run(db)`
      update ${raw(of.table)} c set last_used_ts = u.at_s from ${uses}
       where c.tenant_id = u.tenant_id and c.id = u.id
         and (c.last_used_ts is null or c.last_used_ts < u.at_s)`;
    await storeUses?.(uses);
  };
  // Failures can be ignored: only last-used times are lost, and requests report database failures themselves.
  const timer = setInterval(() => void flush().catch(() => undefined), FLUSH_ms).unref();

  return {
    find: (credential) => cached.get(credential, () => find(credential)),
    use: ({ caller }, requestId, at_s) => {
      if (caller.tenant.is_suspended === true) throw tenantSuspended();
      used.set(caller.credential.id, { caller, at_s });
      return { ...caller, requestId };
    },
    noteRefusal: (refusal, holder) => {
      const subject = holder && {
        tenantId: holder.caller.tenant.id,
        ...subjectOf(holder.caller),
      };
      refusals.note({ action: "credential_refused", ...refusal }, subject);
    },
    forget: (credentialId) => {
      cached.forget();
      if (credentialId !== undefined) used.delete(credentialId);
    },
    close: async () => {
      clearInterval(timer);
      await flush().catch(() => undefined);
    },
  };
}

interface Row extends Omit<Tenant, "id" | "quota" | "is_suspended">, OwnLimits {
  readonly tenant_is_suspended: boolean;
  readonly tenant_id: TenantId;
  readonly id: string;
  readonly person_id: string;
  readonly person_name: string;
}
