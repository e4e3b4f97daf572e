/** A person's records, as listed in a report and as stored for an erasure. */

import { PUSHED_LEAD } from "../../events/index.ts";
import type { RecordName } from "../../records/types/index.ts";

/** Pushed leads and rejected import rows are not records, but can be chosen in the same way. */
export { PUSHED_LEAD };
export const REJECTED_ROW = "rejected_row";
export type FoundType = RecordName | typeof PUSHED_LEAD | typeof REJECTED_ROW;

/** The reasons for listing a record. */
export const REASONS = ["email", "phone", "history", "merged", "linked"] as const;
export type Reason = (typeof REASONS)[number];

/**
 * What an erasure does with a record. `erase` removes the record, `clear` removes the data that identifies the person,
 * and `unlink` clears the record's references to erased records.
 */
export const EFFECTS = ["erase", "clear", "unlink"] as const;
export type Effect = (typeof EFFECTS)[number];

export interface FoundRecord {
  readonly type: FoundType;
  readonly id: string;
  readonly name: string | null;
  /** A record's version, a pushed lead's last change id, or null for something that never changes. */
  readonly version: number | string | null;
  readonly matched: readonly Reason[];
  readonly effect: Effect;
  /** The record that this one was merged into, if this one exists only as a merged copy. Otherwise null. */
  readonly merged_into: string | null;
}

/** A record in an erasure, and what happens to it. */
export interface PlannedRecord {
  readonly type: FoundType;
  readonly id: string;
  /** `review` means that names are also replaced, in addition to addresses and numbers. */
  readonly effect: "erase" | "clear" | "review";
}

/** The types that are removed entirely. */
export const REMOVED: ReadonlySet<FoundType> = new Set<FoundType>([
  "lead",
  "contact",
  "task",
  PUSHED_LEAD,
  REJECTED_ROW,
]);

/** Returns an id for a rejected row. The database has no ids for these rows. */
export const rejectedId = (importId: string, line: number): string => `${importId}.${line}`;

export function rejectedPlace(id: string): { readonly importId: string; readonly line: number } {
  const [importId = "", line = ""] = id.split(".");
  return { importId, line: Number(line) };
}

/** Records by type and id. If a record is found twice, its reasons are combined. */
export class FoundRecords {
  readonly #records = new Map<string, FoundRecord>();

  add(record: FoundRecord): void {
    const key = `${record.type} ${record.id}`;
    const known = this.#records.get(key);
    if (known === undefined) this.#records.set(key, record);
    else {
      const matched = [...new Set([...known.matched, ...record.matched])];
      this.#records.set(key, { ...known, matched });
    }
  }

  has(type: string, id: string): boolean {
    return this.#records.has(`${type} ${id}`);
  }

  get size(): number {
    return this.#records.size;
  }

  all(): readonly FoundRecord[] {
    return [...this.#records.values()];
  }

  idsOf(type: FoundType): readonly string[] {
    return this.all().flatMap((record) => (record.type === type ? [record.id] : []));
  }
}
