/**
 * Who sends an access token. What a token stands for is kept in memory for at most a second, so that a
 * revocation works within a second everywhere, and at once in the process that revokes it.
 */

import type { TenantId } from "../audit/index.ts";
import { type Clock, createMemory, epochSeconds } from "../platform/clock/index.ts";
import { type Db, run } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";
import {
  type AddressList,
  createAddressList,
  type Refusal,
  type Refusals,
} from "./limits/index.ts";
import type { Caller } from "./caller.ts";
import type { Permission } from "./permissions.ts";
import type { Quotas } from "./quotas.ts";
import { hashOf } from "./tokens.ts";
import type { OwnLimits } from "./usage.ts";

const TOKEN = /^lp_[A-Za-z0-9]{40}$/;
const REMEMBERED = { for_ms: 1000, most: 10_000 } as const;
const FLUSH_ms = 5000;

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
    // In one order in all processes, so that none waits for a row that another holds the other way round.
    const entries = [...used].toSorted(([a], [b]) => (a < b ? -1 : 1));
    used.clear();
    if (entries.length === 0) return;
    await run(db)`
      update access_tokens t set last_used_ts = u.at_s
        from unnest(${entries.map(([, { tenantId }]) => tenantId)}::uuid[],
                    ${entries.map(([id]) => id)}::text[],
                    ${entries.map(([, { at_s }]) => at_s)}::bigint[]) as u(tenant_id, id, at_s)
       where t.tenant_id = u.tenant_id and t.id = u.id and t.last_used_ts is distinct from u.at_s`;
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
  const [row] = await run(db)`
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
