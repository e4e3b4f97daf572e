/**
 * Records failed sign-ins and rejected credentials. Each is logged immediately. Every five minutes, one audit entry
 * with a count is added for each account, reason and network. The number of entries per tenant is limited so that an
 * attacker cannot fill the audit log.
 */

import type { Logger } from "pino";
import { changedFields, logChange, SERVICE, type TenantId } from "../audit/index.ts";
import type { Json } from "../platform/json/index.ts";
import { transaction, type Db } from "../platform/database/index.ts";
import type { MakeId } from "../platform/ids/index.ts";
import { networkOfAddress } from "../platform/addresses/index.ts";

const WINDOW_ms = 5 * 60_000;
/**
 * Maximum number of separate entries per tenant and window. Further rejections are combined into one entry per action.
 */
const ENTRIES_MAX = 20;

/** The account or credential that a rejected request tried to use. It must exist. */
export interface RefusedSubject {
  readonly tenantId: TenantId;
  readonly subjectType: "person" | "partner" | "access_token";
  readonly subjectId: string;
}

export interface Refusal {
  readonly action: "sign_in_failed" | "credential_refused";
  readonly reason:
    | "wrong_password"
    | "wrong_second_factor"
    | "wrong_access_code"
    | "unknown_account"
    | "address_not_allowed"
    | "expired"
    | "revoked"
    | "unknown_token"
    | "unknown_session"
    | "unknown_partner_token";
  /** The IP address of the request. */
  readonly from: string;
  readonly requestId: string;
}

export interface Refusals {
  /** Logs a rejection. With a subject, also counts it for the audit log. */
  readonly note: (refusal: Refusal, subject?: RefusedSubject) => void;
  /** Writes pending entries to the audit log. If that fails, logs the error and discards the entries. */
  readonly flush: () => Promise<void>;
  /** Writes pending entries and stops. */
  readonly close: () => Promise<void>;
}

interface Entry {
  readonly subjectType: string;
  readonly subjectId: string;
  readonly action: string;
  readonly fields: Readonly<Record<string, Json>>;
  count: number;
}

export interface RefusalsDeps {
  readonly sql: Db;
  readonly makeId: MakeId;
  readonly log: Logger;
}

export function createRefusals({ sql, makeId, log }: RefusalsDeps): Refusals {
  let tenants = new Map<TenantId, Map<string, Entry>>();

  const count = ({ action, reason, from }: Refusal, subject: RefusedSubject): void => {
    const { tenantId, subjectType, subjectId } = subject;
    const entries = tenants.get(tenantId) ?? new Map<string, Entry>();
    tenants.set(tenantId, entries);
    const network = networkOfAddress(from);
    const key = `${action} ${reason} ${subjectType} ${subjectId} ${network}`;
    const isBeyond = !entries.has(key) && entries.size >= ENTRIES_MAX;
    const counted = isBeyond ? `others ${action}` : key;
    const entry: Entry = entries.get(counted) ?? {
      ...(isBeyond
        ? { subjectType: "tenant", subjectId: tenantId, fields: { reason: "others" } }
        : { subjectType, subjectId, fields: { reason, network } }),
      action,
      count: 0,
    };
    entry.count += 1;
    entries.set(counted, entry);
  };

  const flush = async (): Promise<void> => {
    const written = tenants;
    tenants = new Map();
    for (const [tenantId, entries] of written) {
      await transaction(sql, async (db) => {
        for (const { subjectType, subjectId, action, fields, count: times } of entries.values()) {
          await logChange({ db, tenantId, actor: SERVICE }, makeId, {
            subjectType,
            subjectId,
            action,
            fields: changedFields({}, { ...fields, count: times }),
          });
        }
      }).catch((error: unknown) =>
        log.warn({ err: error }, "Writing refused credentials to the audit log failed"),
      );
    }
  };
  const timer = setInterval(() => void flush(), WINDOW_ms).unref();

  return {
    note: (refusal, subject) => {
      const { action, reason, requestId } = refusal;
      const { tenantId: tenant, subjectType: subject_type, subjectId: subject_id } = subject ?? {};
      log.warn({ reqId: requestId, action, reason, tenant, subject_type, subject_id }, "refused");
      if (subject !== undefined) count(refusal, subject);
    },
    flush,
    close: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}
