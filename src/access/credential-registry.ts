/**
 * Who sends a credential. Its holder is kept in memory for at most a second, so that a revocation works
 * within a second everywhere, and at once in the process that revokes it.
 */

import sql from "sql-template-tag";
import type { TenantId } from "../audit/index.ts";
import { type Clock, createMemory } from "../platform/clock/index.ts";
import type { Caller, CallerCredential, Tenant } from "./caller.ts";
import type { Refusal, Refusals, RefusedSubject } from "./limits/index.ts";
import type { Quotas } from "./quotas.ts";
import { hashOf } from "./tokens.ts";
import type { OwnLimits } from "./usage.ts";

const REMEMBERED = { for_ms: 1000, most: 10_000 } as const;
const FLUSH_ms = 5000;

/** The caller that a credential makes of a request. */
export type Identified = Omit<Caller, "requestId">;

export interface Holder {
  readonly caller: Identified;
}

export interface CredentialKind<H extends Holder> {
  /** The holder of the credential with this hash. */
  readonly find: (hash: Buffer) => Promise<H | undefined>;
  /** Stores when a credential was last used. */
  readonly storeUse: (caller: Identified, at_s: number) => Promise<unknown>;
  /** What the audit log shows of a refused credential. */
  readonly subjectOf: (caller: Identified) => Omit<RefusedSubject, "tenantId">;
}

export interface CredentialRegistry<H extends Holder> {
  readonly find: (credential: string) => Promise<H | undefined>;
  /** The caller of a request; stores the use of its credential later, off the request path. */
  readonly use: (holder: H, requestId: string, now_s: number) => Caller;
  /** Logs a refusal; of a holder that is known it is also audited. */
  readonly noteRefusal: (refusal: Omit<Refusal, "action">, holder: H | undefined) => void;
  /** A holder was changed; the use of a credential that was deleted is not stored. */
  readonly forget: (credentialId?: string) => void;
  /** Stores what is not stored yet, and stops storing. */
  readonly close: () => Promise<void>;
}

export function createCredentialRegistry<H extends Holder>(
  clock: Clock,
  refusals: Refusals,
  { find, storeUse, subjectOf }: CredentialKind<H>,
): CredentialRegistry<H> {
  const remembered = createMemory<H | undefined>(clock, REMEMBERED);
  const used = new Map<string, { readonly caller: Identified; readonly at_s: number }>();

  const flush = async (): Promise<void> => {
    const entries = [...used.values()];
    used.clear();
    for (const { caller, at_s } of entries) await storeUse(caller, at_s);
  };
  // A failure here loses a time of last use, and is met by the requests themselves.
  const timer = setInterval(() => void flush().catch(() => undefined), FLUSH_ms).unref();

  return {
    find: (credential) => remembered.get(credential, () => find(hashOf(credential))),
    use: ({ caller }, requestId, at_s) => {
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
      remembered.forget();
      if (credentialId !== undefined) used.delete(credentialId);
    },
    close: async () => {
      clearInterval(timer);
      await flush().catch(() => undefined);
    },
  };
}

/** What is read of every holder: `c` is the table of its credential, `p` its user, `n` its tenant. */
export const HOLDER_COLUMNS = sql`
  c.tenant_id, c.id, c.person_id, p.name as person_name, n.name, n.default_country, n.timezone,
  n.currency, n.on_duplicate, n.max_records, n.max_bytes`;
export const HOLDER_TABLES = sql`
  join people p on p.tenant_id = c.tenant_id and p.id = c.person_id
  join tenants n on n.id = c.tenant_id`;

export interface HolderRow extends Omit<Tenant, "id" | "quota">, OwnLimits {
  readonly tenant_id: TenantId;
  readonly id: string;
  readonly person_id: string;
  readonly person_name: string;
}

/** Whose a credential is. */
export function ownerOf(row: HolderRow, kind: CallerCredential["kind"], quotas: Quotas) {
  const { tenant_id: id, name, default_country, timezone, currency, on_duplicate } = row;
  const quota = quotas.of(id, row);
  return {
    tenant: { id, name, default_country, timezone, currency, on_duplicate, quota },
    credential: { kind, id: row.id },
    person: { id: row.person_id, name: row.person_name },
  };
}
