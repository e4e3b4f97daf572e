/**
 * `POST /crm/<type>/batch`: many creations in one transaction, each judged by itself, or all or
 * nothing. Items that know each other (the same address or number, where duplicates count) are met one
 * after the other; all others are written with one statement.
 */

import type { OnDuplicate } from "../../access/index.ts";
import type { Scope } from "../../audit/index.ts";
import { crowded, isDuplicate, transaction, type Tx } from "../../platform/database/index.ts";
import { AppError, ISSUES_MAX, ValidationError, type Issue } from "../../platform/errors/index.ts";
import { type Check, shownIssues } from "../../platform/validation/index.ts";
import type { Json, JsonObject } from "../../platform/json/index.ts";
import type { WriteResult } from "./change-found.ts";
import { type RecordType } from "../types/index.ts";
import {
  type Author,
  conflictOf,
  createMany,
  firstOfEach,
  idOf,
  type Taken,
  takenError,
  takenSentence,
  retryOnConflict,
  type WriteDeps,
} from "../write/index.ts";
import { addressKeys, keyText, lockAndFind, type RecordKey } from "./find-by-key.ts";
import { duplicateIn, meetDuplicate, takenBy, type Duplicate } from "./on-duplicate.ts";
import { uniqueFields } from "../shape/index.ts";

/** What is to be created, and how. */
export interface Batch {
  readonly judged: readonly Judged[];
  /** Whether one item that cannot be taken holds up all the others. */
  readonly atomic: boolean;
  readonly onDuplicate: OnDuplicate;
}

/** An item as it was sent, or what is wrong with it. */
export type Judged = { readonly input: JsonObject } | { readonly issues: readonly Issue[] };

/** The response lists so many issues of all items together, and then one of each. */
const LISTED_MAX = 10_000;

/**
 * Checks items one by one, as bodies of creations. Of an item that is rejected only what a response shows
 * is kept in memory.
 */
export async function judge(items: AsyncIterable<Json>, check: Check): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  let left = LISTED_MAX;
  for await (const item of items) {
    const issues = check(item);
    if (issues.length === 0) judged.push({ input: item as JsonObject });
    else {
      const shown = shownIssues(issues, Math.max(1, Math.min(left, ISSUES_MAX)));
      left -= shown.length;
      judged.push({ issues: shown });
    }
  }
  return judged;
}

/** What became of an item, as its own creation would have answered. */
export type ItemResult = { readonly index: number } & (
  | { readonly status: 200; readonly _id: string; readonly result: WriteResult }
  | { readonly status: 422; readonly detail: readonly object[] }
  | { readonly status: number; readonly detail: string; readonly [member: string]: unknown }
);

type Outcome =
  | { readonly id: string; readonly result: WriteResult }
  | { readonly issues: readonly Issue[] }
  | { readonly taken: readonly Taken[] }
  | { readonly refused: AppError };

/** An item that is right as far as it can be known without the database. */
interface Pending {
  readonly index: number;
  readonly input: JsonObject;
  /** By what duplicates of it are found; none where they are allowed. */
  readonly keys: readonly RecordKey[];
  /** How often a record was found for it that was another one by the time it was held. */
  readonly misses: number;
}

/** After as many misses others change the record too often. */
const MISSES_MAX = 3;

/**
 * Writes a batch; what became of each item, in their order. Throws 422 with all that is wrong with any
 * item where it is all or nothing, and then nothing is written.
 */
export async function writeBatch(
  scope: Scope,
  deps: WriteDeps,
  author: Author,
  type: RecordType,
  batch: Batch,
): Promise<readonly ItemResult[]> {
  const { judged, atomic, onDuplicate } = batch;
  const pending = judged.flatMap((one, index): Pending[] => {
    if ("issues" in one) return [];
    const { input } = one;
    const keys = onDuplicate === "allow" ? [] : addressKeys(input, author.country);
    return [{ index, input, keys, misses: 0 }];
  });
  const outcomes = await retryOnConflict(scope, { looksAgain: true }, async (within) => {
    const items = { pending, onDuplicate, isPartial: !atomic };
    const written = await writeItems(within, deps, author, type, items);
    const all = judged.map((one, index) =>
      "issues" in one ? one : (written.get(index) as Outcome),
    );
    const issues = atomic ? atomicIssues(all, judged) : [];
    // Only now, so that all that is wrong is told; the transaction takes back what was written.
    if (issues.length > 0) throw new ValidationError(issues);
    return all;
  });
  return outcomes.map(toResult);
}

interface Items {
  readonly pending: readonly Pending[];
  readonly onDuplicate: OnDuplicate;
  readonly isPartial: boolean;
}

async function writeItems(
  scope: Scope<Tx>,
  deps: WriteDeps,
  author: Author,
  type: RecordType,
  { pending, onDuplicate, isPartial }: Items,
): Promise<ReadonlyMap<number, Outcome>> {
  const outcomes = new Map<number, Outcome>();
  let held = pending.flatMap(({ keys }) => keys);
  let waiting = pending;
  while (waiting.length > 0) {
    const { first, later } = firstOfEach(waiting, ({ keys }) => keys.map(keyText));
    const sought = first.flatMap(({ keys }) => keys);
    const found = await lockAndFind(scope, type, { held, sought });
    held = [];
    const known = first.map((one) => ({ one, duplicate: duplicateIn(found, one.keys) }));
    const fresh = known.flatMap(({ one, duplicate }) => (duplicate === undefined ? one : []));
    const created = await createMany(scope, deps, author, type, {
      inputs: fresh,
      unique: uniqueFields(type),
      isPartial,
    });
    for (const [place, { index }] of fresh.entries()) {
      const creation = created[place] as (typeof created)[number];
      outcomes.set(index, "id" in creation ? { ...creation, result: "created" } : creation);
    }
    const gone: Pending[] = [];
    for (const { one, duplicate } of known) {
      if (duplicate === undefined) continue;
      const met = { input: one.input, duplicate, onDuplicate, isPartial };
      const outcome = await meet(scope, deps, author, type, met);
      if (outcome !== undefined) outcomes.set(one.index, outcome);
      else if (one.misses < MISSES_MAX) gone.push({ ...one, misses: one.misses + 1 });
      else outcomes.set(one.index, { refused: crowded() });
    }
    waiting = [...gone, ...later];
  }
  return outcomes;
}

interface Met {
  readonly input: JsonObject;
  readonly duplicate: Duplicate;
  readonly onDuplicate: OnDuplicate;
  readonly isPartial: boolean;
}

/** An item that is known already; undefined where the record is there no more. */
async function meet(
  scope: Scope<Tx>,
  deps: WriteDeps,
  author: Author,
  type: RecordType,
  met: Met,
): Promise<Outcome | undefined> {
  if (met.onDuplicate === "reject") return { taken: [takenBy(met.duplicate)] };
  try {
    // As a part of the transaction, which can fail without the rest.
    const written = await transaction(scope.db, (db) =>
      meetDuplicate({ ...scope, db }, deps, author, type, met),
    );
    return written && { id: idOf(written.bytes), result: written.result };
  } catch (error) {
    if (error instanceof ValidationError) return { issues: error.issues };
    if (met.isPartial && error instanceof AppError && error.code === "quota_exceeded") {
      return { refused: error };
    }
    if (!isDuplicate(error)) throw error;
    return { refused: await conflictOf(scope, type, [{ ...met.input }]) };
  }
}

function toResult(outcome: Outcome, index: number): ItemResult {
  if ("id" in outcome) return { index, status: 200, _id: outcome.id, result: outcome.result };
  if ("issues" in outcome) return { index, status: 422, detail: shownIssues(outcome.issues) };
  const error = "taken" in outcome ? takenError(outcome.taken) : outcome.refused;
  return { index, status: error.status, detail: error.message, ...error.members };
}

/** All that is wrong with any item, placed in the whole body. */
function atomicIssues(outcomes: readonly Outcome[], judged: readonly Judged[]): readonly Issue[] {
  // A record that this batch made will not be there: the item that made it is told instead.
  const makers = new Map(
    outcomes.flatMap((outcome, index) =>
      "id" in outcome && outcome.result === "created" ? [[outcome.id, index] as const] : [],
    ),
  );
  return outcomes.flatMap((outcome, index): readonly Issue[] => {
    const place = ["body", "items", index];
    if ("id" in outcome) return [];
    if ("issues" in outcome) {
      return outcome.issues.map((issue) => ({ ...issue, loc: [...place, ...issue.loc.slice(1)] }));
    }
    if ("refused" in outcome) {
      const { message, members } = outcome.refused;
      const { input } = judged[index] as { readonly input: JsonObject };
      return [{ type: "conflict", loc: place, msg: message, input, ctx: members }];
    }
    return outcome.taken.map((taken) => conflictIssue(taken, place, makers));
  });
}

function conflictIssue(
  { name, value, existing_id }: Taken,
  place: Issue["loc"],
  makers: ReadonlyMap<string, number>,
): Issue {
  const maker = makers.get(existing_id);
  const issue = { type: "conflict", loc: [...place, name], input: value };
  return maker === undefined
    ? { ...issue, msg: takenSentence(name), ctx: { existing_id } }
    : { ...issue, msg: `Item ${maker} of this batch has the same ${name}`, ctx: { index: maker } };
}
