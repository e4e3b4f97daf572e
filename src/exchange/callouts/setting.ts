/** Stores tenant settings, each as a single value, with their secrets encrypted. */

import sql from "sql-template-tag";
import { logChange, type ChangedFields, type Scope } from "../../audit/index.ts";
import { type Clock, epochSeconds } from "../../platform/clock/index.ts";
import type { MakeId } from "../../platform/ids/index.ts";
import { inserted, run, type Tx } from "../../platform/database/index.ts";
import type { SigningSecret } from "../../delivery/signing/index.ts";
import type { JsonObject } from "../../platform/json/index.ts";
import type { Sealer } from "../../platform/secrets/index.ts";

export type SettingName = "import_webhook" | "duplicate_check";

export interface SettingDeps {
  readonly clock: Clock;
  readonly makeId: MakeId;
  readonly sealer: Sealer;
}

/** The encrypted part of a setting: its headers, whose values may be secrets, and its signing secrets. */
interface SettingSecret {
  readonly headers?: Readonly<Record<string, string>>;
  readonly secrets?: readonly SigningSecret[];
}

/** `value` is returned to callers with permission; `secret` is never returned. */
export interface Setting {
  readonly value: JsonObject;
  readonly secret: SettingSecret;
  readonly updated_ts: number | null;
}

interface StoredSetting extends Omit<Setting, "secret"> {
  readonly sealed: string | null;
}

const UNSET: Setting = { value: {}, secret: {}, updated_ts: null };

const placeOf = (name: SettingName): string => `setting ${name}`;

/** Reads a setting. With `lock`, locks it until the transaction ends, even if no value has been stored yet. */
export async function readSetting(
  { db, tenantId }: Scope,
  { sealer }: Pick<SettingDeps, "sealer">,
  name: SettingName,
  { lock = false } = {},
): Promise<Setting> {
  if (lock)
    await run(db)`select pg_advisory_xact_lock(hashtextextended(${`${tenantId} ${name}`}, 0))`;
  const [row] = await run<StoredSetting[]>(db)`
    select value, sealed, updated_ts from tenant_settings
     where tenant_id = ${tenantId} and name = ${name}`;
  if (row === undefined) return UNSET;
  const { sealed, ...setting } = row;
  const opened = sealed === null ? "{}" : sealer.open(tenantId, placeOf(name), sealed);
  return { ...setting, secret: JSON.parse(opened) as SettingSecret };
}

/** Stores a setting with an audit entry. `fields` lists the changes, with secrets masked. */
export async function writeSetting(
  scope: Scope<Tx>,
  { clock, makeId, sealer }: SettingDeps,
  name: SettingName,
  { value, secret, fields }: Pick<Setting, "value" | "secret"> & { readonly fields: ChangedFields },
): Promise<void> {
  const { db, tenantId } = scope;
  const row = {
    tenant_id: tenantId,
    name,
    value: sql`${value}::jsonb`,
    sealed: sealer.seal(tenantId, placeOf(name), JSON.stringify(secret)),
    updated_ts: epochSeconds(clock),
  };
  await run(db)`
    insert into tenant_settings ${inserted(row)}
        on conflict (tenant_id, name) do update
       set value = excluded.value, sealed = excluded.sealed, updated_ts = excluded.updated_ts`;
  await logChange(scope, makeId, {
    subjectType: name,
    subjectId: name,
    action: "updated",
    fields,
  });
}
