/** Groups new leads by source: counts by period, and each source's color. */

import type { LeadResponse } from "@leadport/client";
import type { Periods } from "./range.ts";

type Source = LeadResponse["source"];

/** Each source has its own color, which is the same in every chart. */
const COLORS: Readonly<Record<Source, string>> = {
  Google: "harbour.6",
  Facebook: "indigo.6",
  Youtube: "red.7",
  Reddit: "orange.6",
  Snapchat: "yellow.5",
  Craigslist: "violet.6",
  Yelp: "pink.6",
  Linkedin: "blue.3",
  "Incoming-Call": "lime.7",
  SMS: "cyan.5",
  Referral: "grape.6",
  Bing: "teal.4",
  Yahoo: "violet.3",
  Nextdoor: "green.7",
  Unknown: "gray.5",
  TikTok: "pink.3",
  Instagram: "orange.9",
  "Billboard Ad": "indigo.3",
};
const OTHER_COLOR = "gray.6";

/** The maximum number of sources to show. All others are combined. */
const SHOWN = 5;

const isSource = (name: string): name is Source => name in COLORS;

/** Returns a source's color in charts. */
export const colorOf = (name: string): string => (isSource(name) ? COLORS[name] : OTHER_COLOR);

/** Counts of new leads by period and source, as returned by the lead summary. */
export interface LeadCounts {
  readonly groups: readonly {
    readonly period: string | null;
    readonly value: string | null;
    readonly count: number;
  }[];
}

interface Series {
  readonly name: string;
  readonly color: string;
}

export interface SourceSeries {
  /** The series, largest first, `other` last. */
  readonly series: readonly Series[];
  readonly rows: readonly (readonly [period: string, counts: Readonly<Record<string, number>>])[];
  readonly total: number;
}

/** Returns one series per source. `other` is the label for all sources except the largest ones. */
export function seriesOf({ groups }: LeadCounts, { starts }: Periods, other: string): SourceSeries {
  const counted = new Map<string, number>();
  const known = groups.filter(({ period }) => period !== null && starts.includes(period));
  for (const { value, count } of known) {
    const name = value ?? other;
    counted.set(name, (counted.get(name) ?? 0) + count);
  }
  const largest = [...counted]
    .toSorted(([name, count], [next, most]) => most - count || (name < next ? -1 : 1))
    .map(([name]) => name);
  const own = new Set(largest.slice(0, SHOWN));
  const series: Series[] = [...own].map((name) => ({ name, color: colorOf(name) }));
  if (largest.length > SHOWN) series.push({ name: other, color: OTHER_COLOR });
  const rows = new Map<string, Record<string, number>>(starts.map((period) => [period, {}]));
  for (const { period, value, count } of known) {
    const row = rows.get(period as string);
    const name = value !== null && own.has(value) ? value : other;
    if (row !== undefined) row[name] = (row[name] ?? 0) + count;
  }
  const total = known.reduce((sum, { count }) => sum + count, 0);
  return { series, rows: [...rows], total };
}
