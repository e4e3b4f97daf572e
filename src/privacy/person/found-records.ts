/** Records of a person as a report lists them, and how they are stored until the erasure. */

import type { RecordName } from "../../records/index.ts";

/** A pushed lead, and a rejected row of an import, are not records, but are chosen like them. */
export const PUSHED = "pushed_lead";
export const REJECTED_ROW = "rejected_row";
export type FoundType = RecordName | typeof PUSHED | typeof REJECTED_ROW;

/** Why a record is in the list. */
export const REASONS = ["email", "phone", "history", "merged", "linked"] as const;
export type Reason = (typeof REASONS)[number];

/**
 * What an erasure does with a record: `erase` removes it, `clear` removes what identifies the person, and `unlink` clears
 * its reference to a record that is erased.
 */
export const EFFECTS = ["erase", "clear", "unlink"] as const;
export type Effect = (typeof EFFECTS)[number];

export interface FoundRecord {
  readonly type: FoundType;
  readonly id: string;
  readonly name: string | null;
  /** The version of a record, the id of the last change of a pushed lead, null of what never changes. */
  readonly version: number | string | null;
  readonly matched: readonly Reason[];
  readonly effect: Effect;
  /** The record that it was merged into, if it is known under its old id only. */
  readonly merged_into: string | null;
}

/** A record of an erasure, and what is done with it. */
export interface PlannedRecord {
  readonly type: FoundType;
  readonly id: string;
  /** `review`: names are replaced in it, too. */
  readonly effect: "erase" | "clear" | "review";
}

/** The types that are removed as a whole. */
export const REMOVED: ReadonlySet<FoundType> = new Set<FoundType>([
  "lead",
  "contact",
  "task",
  PUSHED,
  REJECTED_ROW,
]);

/** A rejected row has no separate id. */
export const rejectedId = (importId: string, line: number): string => `${importId}.${line}`;

export function rejectedPlace(id: string): { readonly importId: string; readonly line: number } {
  const [importId = "", line = ""] = id.split(".");
  return { importId, line: Number(line) };
}

/** Records by type and id; a record that is found twice has both reasons. */
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
