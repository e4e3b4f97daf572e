/**
 * `POST /crm/<type>/batch`: creates many records in one transaction, either independently or all-or-nothing. If
 * duplicates are checked, items with the same address, number or external id are written one after another. All other
 * items are written with one statement.
 */

import type { OnDuplicate } from "../../tenants/index.ts";
import type { Tx } from "../../platform/database/index.ts";
import { WriteConflict, isDuplicate } from "../../platform/failed-statements/index.ts";
import { AppError, ISSUES_MAX, ValidationError, type Issue } from "../../platform/errors/index.ts";
import { type Check, shownIssues } from "../../platform/validation/index.ts";
import type { Json, JsonObject } from "../../platform/json/index.ts";
import type { WriteResult } from "./change-found.ts";
import { inTransaction, type Writer } from "../store/index.ts";
import {
  conflictOf,
  createMany,
  idOf,
  type TakenValue,
  takenError,
  takenMessage,
  retryOnConflict,
} from "../write/index.ts";
import { addressKeys, keyText, lockAndFind, type RecordKey } from "./find-by-key.ts";
import { duplicateIn, takenBy, writeDuplicate, type Duplicate } from "./on-duplicate.ts";
import { uniqueFields } from "../columns/index.ts";
import { writeMany } from "./write-many.ts";

/** The items to create, and the options for creating them. */
export interface Batch {
  readonly judged: readonly CheckedItem[];
  /** Whether one invalid item causes the whole batch to be rejected. */
  readonly atomic: boolean;
  readonly onDuplicate: OnDuplicate;
}

/** A valid item as sent, or the issues of an invalid one. */
export type CheckedItem = { readonly input: JsonObject } | { readonly issues: readonly Issue[] };

/** Maximum number of issues in the response, for all items together. Beyond that, only one issue is listed per item. */
const LISTED_MAX = 10_000;

/**
 * Checks items one by one, in the same way as bodies of individual create requests. For a rejected item, only the parts
 * shown in the response stay in memory.
 */
export async function checkItems(
  items: AsyncIterable<Json>,
  check: Check,
): Promise<readonly CheckedItem[]> {
  const judged: CheckedItem[] = [];
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

/** The result for an item, equivalent to the response to an individual create request. */
export type ItemResult = { readonly index: number } & (
  | { readonly status: 200; readonly _id: string; readonly result: WriteResult }
  | { readonly status: 422; readonly detail: readonly object[] }
  | { readonly status: number; readonly detail: string; readonly [member: string]: unknown }
);

type Outcome =
  | { readonly id: string; readonly result: WriteResult }
  | { readonly issues: readonly Issue[] }
  | { readonly taken: readonly TakenValue[] }
  | { readonly refused: AppError };

/** An item that has passed all checks that do not need the database. */
interface Item {
  readonly input: JsonObject;
  /** The keys used to find duplicates. Empty if duplicates are allowed. */
  readonly keys: readonly RecordKey[];
}

/** Maximum number of retries of an item if its existing record is deleted, or loses the key, before it is locked. */
const MISSES_MAX = 3;

/**
 * Writes a batch and returns the results in the order of the items. If any item of an atomic batch is invalid, throws
 * 422 with the issues of all items and writes nothing.
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
  const outcomes = await retryOnConflict(writer, { isRetried: true }, async (within) => {
    const written = await writeItems(within, right, { onDuplicate, isPartial: !atomic });
    let next = 0;
    const all = judged.map((one) => ("issues" in one ? one : (written[next++] as Outcome)));
    const issues = atomic ? atomicIssues(all, judged) : [];
    // Throw only now, so that all issues are reported. This rolls back the transaction.
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
  const { onDuplicate } = options;
  const misses = new Map<Item, number>();
  let held = items.flatMap(({ keys }) => keys);
  return writeMany<Item, Duplicate, Outcome>(items, {
    keysOf: ({ keys, input: { external_id } }) =>
      onDuplicate === "allow" || typeof external_id !== "string"
        ? keys.map(keyText)
        : [...keys, { kind: "external_id" as const, value: external_id }].map(keyText),
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
      return outcome ?? (missed < MISSES_MAX ? undefined : { refused: new WriteConflict() });
    },
  });
}

/** Writes an item that is a duplicate. Returns undefined if the existing record is gone. */
async function writeKnown(
  writer: Writer<Tx>,
  { input }: Item,
  duplicate: Duplicate,
  { onDuplicate, isPartial }: ItemOptions,
): Promise<Outcome | undefined> {
  if (onDuplicate === "reject") return { taken: [takenBy(duplicate)] };
  try {
    // Use a savepoint, so that a failure does not affect the other items.
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

/** Returns the issues of all items, with locations relative to the whole body. */
function atomicIssues(
  outcomes: readonly Outcome[],
  judged: readonly CheckedItem[],
): readonly Issue[] {
  // Records created by this batch are rolled back, so the issue refers to the item, not to the record that it created.
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
  { name, value, existing_id }: TakenValue,
  place: Issue["loc"],
  creators: ReadonlyMap<string, number>,
): Issue {
  const creator = creators.get(existing_id);
  const issue = { type: "conflict", loc: [...place, name], input: value } as const;
  return creator === undefined
    ? { ...issue, msg: takenMessage(name), ctx: { existing_id } }
    : {
        ...issue,
        msg: `Item ${creator} of this batch has the same ${name}`,
        ctx: { index: creator },
      };
}
