/**
 * Headings of a file → fields of a record type, and the report of what became of each heading, so
 * that no column is dropped in silence.
 */

import { type Field, isLongText, type RecordType } from "../../records/index.ts";
import { FALLBACK_FIELDS } from "./heading-names.ts";
import { meaningsOf, rankedTargets } from "./heading-meanings.ts";

/** The headings of the columns that a rejects file has before the file's own. */
export const REJECT_HEADINGS = ["reject_line", "reject_reason"] as const;

/**
 * What became of the headings of a file. Every heading is in exactly one of the lists; the file's
 * own key is told of as the external id, and once more where it is read into a field as well.
 */
export interface HeadingReport {
  readonly matched: readonly { readonly heading: string; readonly field: string }[];
  /** Headings that are looked at where the better one is empty in a row. */
  readonly alternatives: readonly NotFirst[];
  /** Headings that mean a field for which another heading was better. */
  readonly not_taken: readonly NotFirst[];
  /** Headings used in a template alone. */
  readonly in_templates: readonly string[];
  /** Headings that were set to nothing by hand. */
  readonly ignored: readonly string[];
  /** What our own files have and a record does not take: stamps, derived fields, reject reasons. */
  readonly read_only: readonly string[];
  readonly unmatched: readonly string[];
}

/** A heading that comes after another one. */
export interface NotFirst {
  readonly heading: string;
  readonly field: string;
  readonly instead: string;
}

/** Headings by hand and by templates. */
export interface HeadingWishes {
  /** Heading → field; null for a heading that is to be ignored. */
  readonly byHand: ReadonlyMap<string, string | null>;
  readonly inTemplates: ReadonlySet<string>;
  /** Targets that templates fill. */
  readonly made: ReadonlySet<string>;
  /** The file's own key. It is also read into the field that it means: an address, a name. */
  readonly key?: string | undefined;
  /** Columns whose cells do not hold what their names could mean. */
  readonly unfit?: ReadonlySet<string>;
}

export interface Matching {
  /** Target → the headings it is read from, in order of preference. */
  readonly sources: ReadonlyMap<string, readonly string[]>;
  readonly report: HeadingReport;
  /** Whether the file was written by our own export: then its texts and numbers are exact. */
  readonly ownExport: boolean;
}

/** Whether our own export wrote a file with these headings. */
export const isOwnExport = (headings: readonly string[]): boolean => headings.includes("_id");

/** Matches the headings of a file. The same headings always give the same matching. */
export function matchHeadings(
  type: RecordType,
  headings: readonly string[],
  { byHand, inTemplates, made, key, unfit }: HeadingWishes,
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

/** More columns for one field are not read: every row would be searched for all of them. */
const HEADINGS_MAX = 50;

const severalOf = ({ fields }: RecordType, target: string) =>
  FALLBACK_FIELDS.includes(target) || isLongText(fields[target]) || target.endsWith("_id");

/** Joined texts follow the file, alternatives follow their rank. */
const inOrder = (field: Field | undefined, kept: readonly string[], headings: readonly string[]) =>
  isLongText(field) ? headings.filter((name) => kept.includes(name)) : [...kept];

/**
 * Target → the columns that mean it, best first. An external id has exactly one. `byHand`: the targets
 * that options give.
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

const isRejectHeading = (name: string) => REJECT_HEADINGS.some((heading) => heading === name);

const isReadOnly = (type: RecordType, name: string) =>
  !(name in type.fields) &&
  name !== "close_date" &&
  (STAMPS.includes(name) || name in type.derived || name in type.aliases);

interface Outcome extends Omit<HeadingWishes, "made" | "unfit"> {
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
