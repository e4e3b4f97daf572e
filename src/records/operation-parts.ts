/** What the operations of all record types share: their dependencies, ids in paths, names. */

import type { Caller } from "../access/index.ts";
import type { Database } from "../platform/db.ts";
import { AppError } from "../platform/errors.ts";
import { isId } from "../platform/ids.ts";
import type { Operation } from "../platform/operation.ts";
import type { Schema } from "../platform/validation.ts";
import type { RecordType } from "./define.ts";
import type { WriteDeps } from "./write.ts";

export interface RecordsDeps extends WriteDeps {
  readonly db: Database;
  /** After how long a reader who takes nothing of a stream is cut (D5.2). */
  readonly stall_ms?: number | undefined;
}

export type RecordOperation = Operation<Caller>;

export const recordRef = (type: RecordType): Schema => ({ $ref: `${type.schemaName}Response#` });

export const idPath = (name: string, type: RecordType) =>
  ({ [name]: { kind: "text", max: 100, description: `The _id of a ${type.name}.` } }) as const;

/** The id in a path. What is no id of ours names no record (D2.2). */
export function idIn(path: Readonly<Record<string, unknown>>, name: string): string {
  const id = String(path[name]);
  if (!isId(id)) throw new AppError("not_found");
  return id;
}

/** `deals` of "/crm/deals": what operations on that path are called by. */
export const wordOf = (path: string): string => path.split("/")[2] ?? "";
export const singular = (word: string): string =>
  word.endsWith("ies") ? `${word.slice(0, -3)}y` : word.slice(0, -1);
