/** What the operations of all record types share: their dependencies, ids in paths, names. */

import type { Caller } from "../access/index.ts";
import type { Database } from "../platform/db.ts";
import type { Horizon } from "../platform/horizon.ts";
import type { Operation } from "../platform/operation.ts";
import type { Schema } from "../platform/validation.ts";
import type { RecordType } from "./define.ts";
import type { Author, WriteDeps } from "./write.ts";

export interface RecordsDeps extends WriteDeps {
  readonly db: Database;
  readonly horizon: Horizon;
  /** After how long a reader who takes nothing of a stream is cut (D5.2). */
  readonly stall_ms?: number | undefined;
}

export type RecordOperation = Operation<Caller>;

/** On whose behalf a caller writes. */
export const authorOf = ({ tenant, person }: Caller): Author => ({
  country: tenant.default_country,
  person,
});

export const recordRef = (type: RecordType): Schema => ({ $ref: `${type.schemaName}Response#` });

export const idPath = (name: string, type: RecordType) =>
  ({ [name]: { kind: "text", max: 100, description: `The _id of a ${type.name}.` } }) as const;

/** `deals` of "/crm/deals": what operations on that path are called by. */
export const wordOf = (path: string): string => path.split("/")[2] ?? "";
export const singular = (word: string): string =>
  word.endsWith("ies") ? `${word.slice(0, -3)}y` : word.slice(0, -1);
