/**
 * `POST /crm/<type>/batch`: many creations in one transaction, each judged by itself, or all or
 * nothing. Items with the same address or number, where duplicates count, are written one after the other;
 * all others with one statement.
 */

import type { OnDuplicate } from "../../access/index.ts";
import { Crowded, isDuplicate, type Tx } from "../../platform/database/index.ts";
import { AppError, ISSUES_MAX, ValidationError, type Issue } from "../../platform/errors/index.ts";
import { type Check, shownIssues } from "../../platform/validation/index.ts";
import type { Json, JsonObject } from "../../platform/json/index.ts";
import type { WriteResult } from "./change-found.ts";
import {
  conflictOf,
  createMany,
  idOf,
  inTransaction,
  type Taken,
  takenError,
  takenSentence,
  retryOnConflict,
  type Writer,
} from "../write/index.ts";
import { addressKeys, keyText, lockAndFind, type RecordKey } from "./find-by-key.ts";
import { duplicateIn, takenBy, writeDuplicate, type Duplicate } from "./on-duplicate.ts";
import { uniqueFields } from "../shape/index.ts";
import { writeMany } from "./write-many.ts";

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
interface Item {
  readonly input: JsonObject;
  /** By what duplicates of it are found; none where they are allowed. */
  readonly keys: readonly RecordKey[];
}

/** How often the record that was found for an item may be another one by the time it is locked. */
const MISSES_MAX = 3;

/**
 * Writes a batch; what became of each item, in their order. Throws 422 with all that is wrong with any
 * item where it is all or nothing, and then nothing is written.
 */
export async function writeBatch(
  writer: Writer,
  { judged, atomic, onDuplicate }: Batch,
): Promise<readonly ItemResult[]> {
  const items = judged.map((one): Item | undefined => {
    if ("issues" in one) return undefined;
    const { input } = one;
    const keys = onDuplicate === "allow" ? [] : addressKeys(input, writer.author.country);
    return { input, keys };
  });
  const right = items.filter((item) => item !== undefined);
  const outcomes = await retryOnConflict(writer, { looksAgain: true }, async (within) => {
    const written = await writeItems(within, right, { onDuplicate, isPartial: !atomic });
    let next = 0;
    const all = judged.map((one) => ("issues" in one ? one : (written[next++] as Outcome)));
    const issues = atomic ? atomicIssues(all, judged) : [];
    // Only now, so that all that is wrong is reported; the transaction takes back what was written.
    if (issues.length > 0) throw new ValidationError(issues);
    return all;
  });
  return outcomes.map(toResult);
}

interface ItemOptions {
  readonly onDuplicate: OnDuplicate;
  readonly isPartial: boolean;
}

function writeItems(
  writer: Writer<Tx>,
  items: readonly Item[],
  options: ItemOptions,
): Promise<readonly Outcome[]> {
  const { scope, type } = writer;
  const misses = new Map<Item, number>();
  let held = items.flatMap(({ keys }) => keys);
  return writeMany<Item, Duplicate, Outcome>(items, {
    keysOf: ({ keys }) => keys.map(keyText),
    find: async (some) => {
      const sought = some.flatMap(({ keys }) => keys);
      const found = await lockAndFind(scope, type, { held, sought });
      held = [];
      return ({ keys }) => duplicateIn(found, keys);
    },
    create: async (inputs) => {
      const { isPartial } = options;
      const created = await createMany(writer, { inputs, unique: uniqueFields(type), isPartial });
      return created.map((one) => ("id" in one ? { ...one, result: "created" } : one));
    },
    change: async (item, duplicate) => {
      const outcome = await writeKnown(writer, item, duplicate, options);
      const missed = misses.get(item) ?? 0;
      misses.set(item, missed + 1);
      return outcome ?? (missed < MISSES_MAX ? undefined : { refused: new Crowded() });
    },
  });
}

/** Writes an item that is a duplicate; undefined if the record is gone. */
async function writeKnown(
  writer: Writer<Tx>,
  { input }: Item,
  duplicate: Duplicate,
  { onDuplicate, isPartial }: ItemOptions,
): Promise<Outcome | undefined> {
  if (onDuplicate === "reject") return { taken: [takenBy(duplicate)] };
  try {
    // As a part of the transaction, which can fail without the rest.
    const written = await inTransaction(writer, (within) =>
      writeDuplicate(within, duplicate, { input, onDuplicate }),
    );
    return written && { id: idOf(written.bytes), result: written.result };
  } catch (error) {
    if (error instanceof ValidationError) return { issues: error.issues };
    if (isPartial && error instanceof AppError && error.code === "quota_exceeded") {
      return { refused: error };
    }
    if (!isDuplicate(error)) throw error;
    return { refused: await conflictOf(writer, [{ ...input }]) };
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
  // A record that this batch created will not exist: the item that created it is named instead.
  const creators = new Map(
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
    return outcome.taken.map((taken) => conflictIssue(taken, place, creators));
  });
}

function conflictIssue(
  { name, value, existing_id }: Taken,
  place: Issue["loc"],
  creators: ReadonlyMap<string, number>,
): Issue {
  const creator = creators.get(existing_id);
  const issue = { type: "conflict", loc: [...place, name], input: value };
  return creator === undefined
    ? { ...issue, msg: takenSentence(name), ctx: { existing_id } }
    : {
        ...issue,
        msg: `Item ${creator} of this batch has the same ${name}`,
        ctx: { index: creator },
      };
}
