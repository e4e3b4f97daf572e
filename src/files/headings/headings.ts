/**
 * Maps the columns of a file to the fields of a record type, and reports what happened to each
 * column, so that none is dropped silently.
 */

import { type Field, isLongText, type RecordType } from "../../records/types/index.ts";
import { FALLBACK_FIELDS } from "./heading-names.ts";
import { meaningsOf, rankedTargets } from "./heading-meanings.ts";

/** The columns that a rejects file adds before the columns of the original file. */
export const REJECT_HEADINGS = ["reject_line", "reject_reason"] as const;

/**
 * What happened to each column of a file. Each column is in exactly one of the lists. The only exception is the column
 * with the file's own key: it is listed as the external id, and again if it is also read into another field.
 */
export interface HeadingReport {
  readonly matched: readonly { readonly heading: string; readonly field: string }[];
  /** Columns that are used only in rows where a better column is empty. */
  readonly alternatives: readonly NotFirst[];
  /** Unused columns, each of which fits a field that is read from a better column. */
  readonly not_taken: readonly NotFirst[];
  /** Columns that only templates use. */
  readonly in_templates: readonly string[];
  /** Columns that options exclude. */
  readonly ignored: readonly string[];
  /** Columns in Leadport's own files whose values cannot be set: timestamps, derived fields, reject reasons. */
  readonly read_only: readonly string[];
  readonly unmatched: readonly string[];
}

/** A column that is not used for a field because another column took precedence. */
export interface NotFirst {
  readonly heading: string;
  readonly field: string;
  readonly instead: string;
}

/** Column-to-field assignments from the import's options and templates. */
export interface ColumnAssignments {
  /** Column → field. Null for a column to ignore. */
  readonly byHand: ReadonlyMap<string, string | null>;
  readonly inTemplates: ReadonlySet<string>;
  /** Targets whose values are built by templates. */
  readonly made: ReadonlySet<string>;
  /**
   * The column with the file's own key. It is also read into the field that fits its name, such as an email address or
   * a name.
   */
  readonly key?: string | undefined;
  /** Columns whose cells do not contain what their names suggest. */
  readonly unfit?: ReadonlySet<string>;
}

export interface Matching {
  /** Target → the columns to read it from, in order of preference. */
  readonly sources: ReadonlyMap<string, readonly string[]>;
  readonly report: HeadingReport;
  /** Whether Leadport exported the file. If so, its strings and numbers are exact. */
  readonly ownExport: boolean;
}

/** Returns whether Leadport exported a file with these columns. */
export const isOwnExport = (headings: readonly string[]): boolean => headings.includes("_id");

/** Matches the columns of a file. The same columns always produce the same result. */
export function matchHeadings(
  type: RecordType,
  headings: readonly string[],
  { byHand, inTemplates, made, key, unfit }: ColumnAssignments,
): Matching {
  const ownExport = isOwnExport(headings);
  const readOnly = headings.filter(
    (name) => name !== key && (isRejectHeading(name) || (ownExport && isReadOnly(type, name))),
  );
  const free = headings.filter((name) => !byHand.has(name) && !readOnly.includes(name));
  const sources = new Map<string, string[]>();
  for (const [heading, target] of byHand) {
    if (target !== null) sources.set(target, [...(sources.get(target) ?? []), heading]);
  }
  if (key !== undefined) sources.set("external_id", [key]);
  const fixed = new Set(sources.keys());
  const fit = free.filter((name) => unfit?.has(name) !== true);
  const wanted = rankedHeadings(type, fit, [...made, ...fixed]);
  const taken = new Set<string>();
  const losers = new Map<string, string>();
  for (const [target, ranked] of wanted) {
    const open = ranked.filter((heading) => !taken.has(heading));
    const most = fixed.has(target) ? 0 : severalOf(type, target) ? HEADINGS_MAX : 1;
    const kept = open.slice(0, most);
    for (const heading of kept) taken.add(heading);
    for (const heading of open) if (!taken.has(heading)) losers.set(heading, target);
    if (kept.length > 0) sources.set(target, inOrder(type.fields[target], kept, headings));
  }
  for (const heading of taken) losers.delete(heading);
  if (key !== undefined) losers.delete(key);
  const report = reportOf({ type, headings, sources, losers, readOnly, byHand, inTemplates, key });
  return { sources, ownExport, report };
}

/** Maximum number of columns per field. Limited because every row may be checked for a value in each of them. */
const HEADINGS_MAX = 50;

const severalOf = ({ fields }: RecordType, target: string) =>
  FALLBACK_FIELDS.includes(target) || isLongText(fields[target]) || target.endsWith("_id");

/** Columns whose values are joined stay in the order of the file. Alternatives are ordered by rank. */
const inOrder = (field: Field | undefined, kept: readonly string[], headings: readonly string[]) =>
  isLongText(field) ? headings.filter((name) => kept.includes(name)) : [...kept];

/**
 * Target → the columns that fit it, best first. The external id has at most one. `byHand` lists the targets that
 * options assign columns to.
 */
function rankedHeadings(type: RecordType, headings: readonly string[], byHand: readonly string[]) {
  const found = new Map(rankedTargets(type).map((target) => [target, new Map<string, number>()]));
  for (const [heading, meanings] of meaningsOf(type, headings, byHand)) {
    for (const { target, rank } of meanings) found.get(target)?.set(heading, rank);
  }
  const ranked = [...found].map(([target, ranks]) => {
    const best = [...ranks].toSorted(([, a], [, b]) => a - b).map(([heading]) => heading);
    return [target, target === "external_id" ? best.slice(0, 1) : best] as const;
  });
  return new Map(ranked);
}

const STAMPS = [
  ["_id", "id", "version", "userid", "user_name", "created_by_userid", "timestamp"],
  ["created_ts", "updated_ts", "status_update_date"],
  ["created_date", "updated_date", "status_updated_date"],
].flat();

export const isRejectHeading = (name: string): boolean =>
  REJECT_HEADINGS.some((heading) => heading === name);

const isReadOnly = (type: RecordType, name: string) =>
  !(name in type.fields) &&
  name !== "close_date" &&
  (STAMPS.includes(name) || name in type.derived || name in type.aliases);

interface Outcome extends Omit<ColumnAssignments, "made" | "unfit"> {
  readonly type: RecordType;
  readonly headings: readonly string[];
  readonly sources: Matching["sources"];
  readonly losers: ReadonlyMap<string, string>;
  readonly readOnly: readonly string[];
}

function reportOf(outcome: Outcome): HeadingReport {
  const { type, headings, sources, losers, readOnly, byHand, inTemplates, key } = outcome;
  const meant = [...sources].filter(([field]) => key === undefined || field !== "external_id");
  const fieldOf = new Map(
    meant.flatMap(([field, names]) => names.map((name) => [name, field] as const)),
  );
  const behind = (heading: string, field = fieldOf.get(heading)): NotFirst | undefined => {
    const instead = field === undefined ? undefined : sources.get(field)?.[0];
    if (field === undefined || instead === undefined) return undefined;
    const isJoined = isLongText(type.fields[field]) && fieldOf.has(heading);
    return instead === heading || isJoined ? undefined : { heading, field, instead };
  };
  const matched = headings.flatMap((heading) => {
    const field = fieldOf.get(heading);
    const own = heading === key ? [{ heading, field: "external_id" }] : [];
    if (field === undefined || behind(heading) !== undefined) return own;
    return [...own, { heading, field }];
  });
  const rest = headings.filter((heading) => heading !== key && !fieldOf.has(heading));
  const ignored = rest.filter((heading) => byHand.get(heading) === null);
  const open = rest.filter((name) => !ignored.includes(name) && !readOnly.includes(name));
  const templated = open.filter((heading) => inTemplates.has(heading));
  const others = open.filter((heading) => !inTemplates.has(heading));
  return {
    matched,
    alternatives: headings.flatMap((heading) => behind(heading) ?? []),
    not_taken: others.flatMap((heading) => behind(heading, losers.get(heading)) ?? []),
    in_templates: templated,
    ignored,
    read_only: readOnly,
    unmatched: others.filter((heading) => !losers.has(heading)),
  };
}
