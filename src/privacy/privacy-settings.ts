/** Settings for how long a tenant retains data, and whether erased people can be pushed again. */

import { changedFields, logChange, type Scope } from "../audit/index.ts";
import { type Clock, epochSeconds } from "../platform/clock/index.ts";
import type { MakeId } from "../platform/ids/index.ts";
import { run, transaction } from "../platform/database/index.ts";
import { type JsonObject, namesOf } from "../platform/json/index.ts";
import {
  boolean,
  type Members,
  nullable,
  type Schemas,
  withDates,
} from "../platform/schemas/index.ts";

const DAYS_MAX = 36_500;
/** The minimum number of days to retain history. The change feed returns the changes of the last 30 days. */
const HISTORY_MIN = 30;

const days = (minimum: number, description: string) => ({
  ...nullable({ type: "integer" }),
  minimum,
  maximum: DAYS_MAX,
  description,
});

/** The settings. Null means that data is never removed. */
export const PRIVACY_SETTINGS = {
  history_days: days(
    HISTORY_MIN,
    "Days to retain the history of records and pushed leads. Null: no limit.",
  ),
  audit_days: days(
    HISTORY_MIN,
    "Days to retain all other audit entries: tokens, users, partners, settings. Null: no limit.",
  ),
  deliveries_days: days(
    1,
    "Days to retain finished webhook deliveries, at most DELIVERY_RETENTION_DAYS. Null: DELIVERY_RETENTION_DAYS.",
  ),
  rejected_pushes_days: days(
    1,
    "Days after which rejected partner leads are erased. They are still counted. Null: never.",
  ),
  expired_pushes_days: days(
    1,
    "Days after which expired partner leads are erased. They are still counted. Null: never.",
  ),
  rejected_rows_days: days(1, "Days to retain rejected rows of finished imports. Null: no limit."),
  block_erased: boolean("Whether pushing an erased person returns 409."),
} as const satisfies Schemas;

export type PrivacySettings = Members<typeof PRIVACY_SETTINGS>;

const DEFAULTS: PrivacySettings = {
  history_days: null,
  audit_days: null,
  deliveries_days: null,
  rejected_pushes_days: null,
  expired_pushes_days: null,
  rejected_rows_days: null,
  block_erased: false,
};

/** The name of these settings, both as a row in `tenant_settings` and in the audit log. */
export const PRIVACY = "privacy";

export async function readPrivacy({
  db,
  tenantId,
}: Scope): Promise<PrivacySettings & { readonly updated_ts: number | null }> {
  const [row] = await run<{ value: Partial<PrivacySettings>; updated_ts: number }[]>(db)`
    select value, updated_ts from tenant_settings where tenant_id = ${tenantId} and name = ${PRIVACY}`;
  return { ...DEFAULTS, ...row?.value, updated_ts: row?.updated_ts ?? null };
}

export const shownPrivacy = async (scope: Scope) => withDates(await readPrivacy(scope));

/**
 * Stores the settings. Missing settings get their defaults. Unless `block_erased` is true, all blocked people are
 * unblocked.
 */
export const putPrivacy = (
  scope: Scope,
  { clock, makeId }: { readonly clock: Clock; readonly makeId: MakeId },
  sent: JsonObject,
) =>
  transaction(scope.db, async (db) => {
    const within = { ...scope, db };
    const { tenantId } = scope;
    await run(db)`select pg_advisory_xact_lock(hashtextextended(${`${tenantId} ${PRIVACY}`}, 0))`;
    const { updated_ts: _, ...before } = await readPrivacy(within);
    const value = Object.fromEntries(
      namesOf(DEFAULTS).map((name) => [name, sent[name] ?? DEFAULTS[name]]),
    );
    const fields = changedFields(before, value);
    if (Object.keys(fields).length > 0) {
      const now_s = epochSeconds(clock);
      await run(db)`
        insert into tenant_settings (tenant_id, name, value, updated_ts)
        values (${tenantId}, ${PRIVACY}, ${JSON.stringify(value)}::text::json, ${now_s})
            on conflict (tenant_id, name) do update
           set value = excluded.value, updated_ts = excluded.updated_ts`;
      if (value["block_erased"] !== true) {
        await run(db)`delete from blocked_persons where tenant_id = ${tenantId}`;
      }
      await logChange(within, makeId, {
        subjectType: PRIVACY,
        subjectId: PRIVACY,
        action: "updated",
        fields,
      });
    }
    return shownPrivacy(within);
  });
