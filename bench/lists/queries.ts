/** The list queries that are measured. Add a row for each new filterable field. */

import type { Filling } from "../loads/fill.ts";
import { emailAt, phoneAt } from "../loads/leads.ts";

type Members = Readonly<Record<string, unknown>>;

export interface Query {
  readonly name: string;
  /** The path after `/crm/leads`. */
  readonly path?: string;
  /** Returns the parameters of the kth request. Each request can use different values. */
  readonly parameters: (k: number) => Members;
}

/** A filter, or a function that returns the filter of the kth request. */
type Filter = Members | ((k: number) => Members);
type Row = readonly [name: string, filter: Filter, more?: Members];

const queryOf = ([name, filter, more]: Row): Query => ({
  name,
  parameters: (k) => ({
    match_filter_dict: typeof filter === "function" ? filter(k) : filter,
    ...more,
  }),
});

/** Returns rows for filters by one value. `key` spreads the looked up leads over the table. */
const equalities = (key: (k: number) => number): readonly Row[] => [
  ["lead_status, 51%", { lead_status: "assigned" }],
  ["lead_status, 20%", { lead_status: "contacted" }],
  ["lead_status, 1%", { lead_status: "incorrect" }],
  ["lead_status, no match", { lead_status: "unheard-of" }],
  ["lead_source, 28%", { lead_source: "Google" }],
  ["lead_source, 0.1%", { lead_source: "Billboard Ad" }],
  ["name, about 6 matches", { name: "Vera C. Holm" }],
  ["name, no match", { name: "Unknown" }],
  ["employer_name, about 30 matches", { employer_name: "Willow Iron Freight" }],
  ["employer_name, null (30%)", { employer_name: null }],
  ["profession, 2%", { profession: "dentist" }],
  ["profession, null (30%)", { profession: null }],
  ["title, 1%", { title: "Chief Owner" }],
  ["title, null (30%)", { title: null }],
  ["email_list, one match", (k) => ({ email_list: emailAt(key(k)) })],
  ["email_list, no match", (k) => ({ email_list: `unknown.${k}@mail.example.com` })],
  ["phone_list, one match or none", (k) => ({ phone_list: phoneAt(key(k)) })],
  ["tags, 30%", { tags: "newsletter" }],
  ["tags, 2.5%", { tags: "trade-fair" }],
  ["tags, 1%", { tags: "segment-20" }],
  ["tags, 0.6%", { tags: "segment-12" }],
  ["tags, 0.3%", { tags: "segment-5" }],
  ["tags, 0.1%", { tags: "segment-1" }],
  ["tags, 1 in 100,000", { tags: "pilot-1" }],
  ["tags, no match", { tags: "unheard-of" }],
];

const SORTABLE =
  "_id created_ts updated_ts status_update_date lead_status lead_source name employer_name profession title".split(
    " ",
  );

const sorts: readonly Query[] = SORTABLE.flatMap((field) =>
  [1, -1].map((direction) => ({
    name: `sorted by ${field} ${direction === 1 ? "↑" : "↓"}`,
    parameters: () => ({ sort_dict: { [field]: direction } }),
  })),
);

/** Returns time windows. They are calculated backward from the newest lead. */
function windows(now_s: number): readonly Query[] {
  const ago = (days: number): string =>
    `${new Date((now_s - days * 86_400) * 1000).toISOString().slice(0, 19)}Z`;
  const hours = (count: number) => ({ start_date: ago(count / 24), end_date: ago(0) });
  const month = { start_date: ago(430), end_date: ago(400) };
  const rows: readonly (readonly [string, string, Members])[] = [
    ["/created", "4 hours, not paged", hours(4)],
    ["/status_updated", "1 hour, not paged", hours(1)],
    ["/created", "one month, paged", { ...month, page_size: 50 }],
    ["/status_updated", "one month, paged", { ...month, page_size: 50 }],
  ];
  return rows.map(([path, name, dates]) => ({
    name: `${path}, ${name}`,
    path,
    parameters: () => dates,
  }));
}

const YEAR_s = 365 * 86_400;

export function queriesOf({ rows, newest_s }: Filling): readonly Query[] {
  const key = (k: number): number => (k * 9973 + 1) % rows;
  /** The lowest id of the newer half of the leads. */
  const middle = `ObjectId('${Math.floor(newest_s - YEAR_s)
    .toString(16)
    .padEnd(24, "0")}')`;
  const older: Row = ["_id, older half", { _id: { $lt: middle } }, { eval_object_id: true }];
  return [
    { name: "no filter", parameters: () => ({}) },
    ...[older, ...equalities(key)].map(queryOf),
    ...sorts,
    ...windows(newest_s),
  ];
}
