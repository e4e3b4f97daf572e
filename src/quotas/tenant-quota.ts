/**
 * A tenant's quota in this process. The usage is the last measured usage plus everything that this process has written
 * since. Writes by other processes are included at the next measurement.
 */

import type { Growth, Quota, Room, Scope } from "../audit/index.ts";
import type { Db, Tx } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";
import { nextDue, type Limits, type QuotaReading, type Usage } from "./usage.ts";

export interface TenantQuotaDeps {
  readonly read: (db: Db | Tx) => Promise<QuotaReading>;
  /** Schedules a measurement for a time (epoch ms, from the database's clock) and returns without waiting for it. */
  readonly mark: (due_ms: number) => void;
}

/** How long limits and usage are cached. */
const FRESH_ms = 1000;
/** Maximum number of entries for writes since the last measurement. When there are more, entries are merged. */
const ENTRIES_MAX = 1000;

/** The growth from writes that ended no later than `ended_ms` (from this process's clock). */
interface Entry extends Growth {
  readonly ended_ms: number;
}

const NOTHING: Growth = { records: 0, bytes: 0 };
const sum = (one: Growth, other: Growth): Growth => ({
  records: one.records + other.records,
  bytes: one.bytes + other.bytes,
});

export class TenantQuota implements Quota {
  readonly #deps: TenantQuotaDeps;
  #reading: QuotaReading | undefined;
  #read_ms = -Infinity;
  #inProgress: Promise<void> | undefined;
  #pending: Growth = NOTHING;
  /** What this process has written since the last measurement, as individual entries and in total. */
  #entries: Entry[] = [];
  #written: Growth = NOTHING;
  #marked: { readonly measured_ms: number; readonly due_ms: number } | undefined;

  constructor(deps: TenantQuotaDeps) {
    this.#deps = deps;
  }

  readonly unlimited: Quota = {
    reserve: (scope, growth) => this.#reserve(scope, growth, () => undefined),
    room: async () => ({ records: Infinity, refusal: () => new AppError("quota_exceeded") }),
    get unlimited() {
      return this;
    },
  };

  readonly reserve: Quota["reserve"] = (scope, growth) =>
    this.#reserve(scope, growth, (used) => this.#refusal(scope, used, growth));

  readonly room: Quota["room"] = async (scope): Promise<Room> => {
    await this.#refresh(scope.db);
    const used = this.#used();
    const { records = Infinity, bytes = Infinity } = this.#reading?.limits ?? {};
    const isFull = used !== undefined && (used.bytes ?? 0) >= bytes;
    const remaining = used === undefined ? Infinity : Math.max(0, records - used.records);
    return {
      records: isFull ? 0 : remaining,
      refusal: (added, more) => {
        this.#mark(true);
        const growth = isFull ? { records: 0, bytes: 1 } : { records: more, bytes: 0 };
        const then = used && { ...used, records: used.records + added };
        return (then && this.#refusal(scope, then, growth)) ?? new AppError("quota_exceeded");
      },
    };
  };

  async #reserve(
    scope: Scope,
    growth: Growth,
    refusalOf: (used: Pick<Usage, "records" | "bytes">) => AppError | undefined,
  ): Promise<(isCommitted: boolean) => void> {
    await this.#refresh(scope.db);
    const used = this.#used();
    const refusal = used && refusalOf(used);
    if (refusal !== undefined) {
      this.#mark(true);
      throw refusal;
    }
    // Deleted records are subtracted only after the commit, because their space is free only then.
    const records = Math.max(0, growth.records);
    const { bytes } = growth;
    this.#pending = sum(this.#pending, { records, bytes });
    return (isCommitted) => {
      this.#pending = sum(this.#pending, { records: -records, bytes: -bytes });
      if (isCommitted) this.#note(growth);
    };
  }

  /** Rereads limits and usage on the caller's connection if the cached values are too old. */
  async #refresh(db: Db | Tx): Promise<void> {
    if (performance.now() - this.#read_ms < FRESH_ms) return;
    if (this.#inProgress !== undefined) {
      if (this.#reading === undefined) await this.#inProgress.catch(() => undefined);
      return;
    }
    this.#inProgress = this.#read(db);
    try {
      await this.#inProgress;
    } finally {
      this.#inProgress = undefined;
    }
  }

  async #read(db: Db | Tx): Promise<void> {
    const sent_ms = performance.now();
    const reading = await this.#deps.read(db);
    this.#reading = reading;
    this.#read_ms = performance.now();
    const { usage, limits } = reading;
    if (usage === undefined) return;
    // The database computed the age after `sent_ms`, so writes that ended after the measurement are always kept.
    const measured_ms = sent_ms - usage.age_ms;
    this.#entries = this.#entries.filter(({ ended_ms }) => ended_ms >= measured_ms);
    this.#written = this.#entries.reduce<Growth>(sum, NOTHING);
    if (this.#entries.length > 0 || (limits.bytes !== undefined && usage.bytes === null)) {
      this.#mark(false);
    }
  }

  /** Returns the tenant's usage as known to this process, or undefined before the first measurement. */
  #used(): Pick<Usage, "records" | "bytes"> | undefined {
    const usage = this.#reading?.usage;
    if (usage === undefined) return undefined;
    const own = sum(this.#written, this.#pending);
    return {
      records: Math.max(0, usage.records + own.records),
      bytes: usage.bytes === null ? null : usage.bytes + own.bytes,
    };
  }

  #note(growth: Growth): void {
    this.#entries.push({ ...growth, ended_ms: performance.now() });
    this.#written = sum(this.#written, growth);
    if (this.#entries.length > ENTRIES_MAX) this.#entries = inPairs(this.#entries);
    this.#mark(false);
  }

  /**
   * Schedules the next measurement, unless it is already scheduled. After a rejected write, it is scheduled for an
   * earlier time.
   */
  #mark(isRefused: boolean): void {
    const usage = this.#reading?.usage;
    if (usage === undefined) return;
    const { measured_ms } = usage;
    const due_ms = nextDue(usage, isRefused);
    const marked = this.#marked;
    if (marked?.measured_ms === measured_ms && marked.due_ms <= due_ms) return;
    this.#marked = { measured_ms, due_ms };
    this.#deps.mark(due_ms);
  }

  #refusal(
    scope: Scope,
    used: Pick<Usage, "records" | "bytes">,
    growth: Growth,
  ): AppError | undefined {
    const { limits } = this.#reading ?? {};
    for (const resource of ["records", "bytes"] as const) {
      const quota = limits?.[resource];
      const stored = used[resource];
      if (quota === undefined || stored === null) continue;
      if (growth[resource] <= 0 || stored + growth[resource] <= quota) continue;
      return refusalOf(scope, { resource, used: stored, quota, more: growth[resource] });
    }
    return undefined;
  }
}

/** Merges entries in pairs. A merged entry has the later end time of the two. */
const inPairs = (entries: readonly Entry[]): Entry[] =>
  entries.flatMap((entry, at) => {
    const next = entries[at + 1];
    if (at % 2 === 1) return [];
    return [next === undefined ? entry : { ...sum(entry, next), ended_ms: next.ended_ms }];
  });

interface Refused {
  readonly resource: keyof Limits;
  readonly used: number;
  readonly quota: number;
  readonly more: number;
}

/**
 * Returns the 403 error for a write that would exceed the quota. For partners, the error does not show the tenant's
 * usage.
 */
function refusalOf({ actor }: Scope, { resource, used, quota, more }: Refused): AppError {
  if (actor.kind === "partner") {
    const detail = "This business has reached its storage quota. Contact the business.";
    return new AppError("quota_exceeded", { detail });
  }
  const shown = (amount: number) =>
    resource === "bytes" ? sizeText(amount) : amount.toLocaleString("en");
  const noun = resource === "bytes" ? "" : " records";
  const detail = [
    `The tenant stores ${shown(used)}${noun}; its quota is ${shown(quota)}.`,
    ...(used < quota ? [`Adding ${shown(more)} more would exceed it.`] : []),
    resource === "bytes"
      ? "Ask the operator to raise the quota."
      : "Delete tasks, merge duplicates, or ask the operator to raise the quota.",
  ].join(" ");
  return new AppError("quota_exceeded", { detail, members: { resource, used, quota } });
}

const UNITS = ["bytes", "KB", "MB", "GB", "TB"] as const;

/** Formats a size as in settings, where 1 GB is 1024³ bytes: `9.97 GB`. */
export function sizeText(bytes: number): string {
  const power = Math.min(
    UNITS.length - 1,
    Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1024)),
  );
  const shown = (bytes / 1024 ** power).toLocaleString("en", { maximumFractionDigits: 2 });
  return `${shown} ${UNITS[power]}`;
}
