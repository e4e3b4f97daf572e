/** The list queries that are measured. Add a row for each new filterable field. */

import type { Filling } from "./fill.ts";
import { emailAt, phoneAt } from "./leads.ts";

export interface Question {
  readonly name: string;
  readonly path?: string;
  /** Returns the kth request. Each request uses different values. */
  readonly query: (k: number) => Readonly<Record<string, unknown>>;
  /** Whether the target (a median under 10 ms) applies to the query. Queries without a target are for comparison. */
  readonly isHeld: boolean;
}

type Filter = Readonly<Record<string, unknown>>;
/** Returns the number of the lead that the kth request looks up. The leads are spread over the table. */
type Key = (k: number) => number;

const filter = (
  name: string,
  of: Filter | ((k: number) => Filter),
  more: Filter = {},
): Question => ({
  name,
  query: (k) => ({ match_filter_dict: typeof of === "function" ? of(k) : of, ...more }),
  isHeld: true,
});
const compared = (question: Question): Question => ({ ...question, isHeld: false });

const equalities = (key: Key): readonly Question[] => [
  filter("lead_status, 51%", { lead_status: "assigned" }),
  filter("lead_status, 20%", { lead_status: "contacted" }),
  filter("lead_status, 1%", { lead_status: "incorrect" }),
  filter("lead_status, no match", { lead_status: "unheard-of" }),
  filter("lead_source, 28%", { lead_source: "Google" }),
  filter("lead_source, 0.1%", { lead_source: "Billboard Ad" }),
  filter("name, about 6 matches", { name: "Vera C. Holm" }),
  filter("name, no match", { name: "Unknown" }),
  filter("employer_name, about 30 matches", { employer_name: "Willow Iron Freight" }),
  filter("employer_name, null (30%)", { employer_name: null }),
  filter("profession, 2%", { profession: "dentist" }),
  filter("profession, null (30%)", { profession: null }),
  filter("title, 1%", { title: "Chief Owner" }),
  filter("title, null (30%)", { title: null }),
  filter("email_list, one match", (k) => ({ email_list: emailAt(key(k)) })),
  filter("email_list, no match", (k) => ({ email_list: `unknown.${k}@mail.example.com` })),
  filter("phone_list, one match or none", (k) => ({ phone_list: phoneAt(key(k)) })),
  filter("tags, 30%", { tags: "newsletter" }),
  filter("tags, 2.5%", { tags: "trade-fair" }),
  filter("tags, 1%", { tags: "segment-20" }),
  filter("tags, 0.6%", { tags: "segment-12" }),
  filter("tags, 0.3%", { tags: "segment-5" }),
  filter("tags, 0.1%", { tags: "segment-1" }),
  filter("tags, 1 in 100,000", { tags: "pilot-1" }),
  filter("tags, no match", { tags: "unheard-of" }),
];

const SORTABLE = [
  "_id",
  "created_ts",
  "updated_ts",
  "status_update_date",
  "lead_status",
  "lead_source",
  "name",
  "employer_name",
  "profession",
  "title",
];

const SORTS: readonly Question[] = SORTABLE.flatMap((field) =>
  [1, -1].map((direction) => ({
    name: `sorted by ${field} ${direction === 1 ? "↑" : "↓"}`,
    query: () => ({ sort_dict: { [field]: direction } }),
    isHeld: true,
  })),
);

/** Returns a time N days before `now_s`, such as `2024-04-16T17:48:14Z`. */
const daysAgo = (now_s: number, days: number): string =>
  `${new Date((now_s - days * 86_400) * 1000).toISOString().slice(0, 19)}Z`;

const windows = (now_s: number): readonly Question[] => {
  const hours = (count: number) => ({
    start_date: daysAgo(now_s, count / 24),
    end_date: daysAgo(now_s, 0),
  });
  const month = { start_date: daysAgo(now_s, 430), end_date: daysAgo(now_s, 400) };
  const day = { start_date: daysAgo(now_s, 401), end_date: daysAgo(now_s, 400) };
  return [
    { name: "/created, 4 hours, not paged", path: "/created", query: () => hours(4), isHeld: true },
    {
      name: "/status_updated, 1 hour, not paged",
      path: "/status_updated",
      query: () => hours(1),
      isHeld: true,
    },
    {
      name: "/created, one month, paged",
      path: "/created",
      query: () => ({ ...month, page_size: 50 }),
      isHeld: true,
    },
    {
      name: "/status_updated, one month, paged",
      path: "/status_updated",
      query: () => ({ ...month, page_size: 50 }),
      isHeld: true,
    },
    compared({
      name: "/created, one day (1,370), not paged",
      path: "/created",
      query: () => day,
      isHeld: false,
    }),
    compared({ name: "start_date and end_date, one month", query: () => month, isHeld: false }),
    compared({ name: "start_date and end_date, one day", query: () => day, isHeld: false }),
  ];
};

const comparedOnes = (key: Key): readonly Question[] =>
  [
    filter("lead_status $in, 3 values", {
      lead_status: { $in: ["open", "incorrect", "attempted"] },
    }),
    filter("lead_status $ne", { lead_status: { $ne: "assigned" } }),
    filter("name $in, 20 values", {
      name: {
        $in: Array.from({ length: 20 }, (_, at) => `Vera ${String.fromCharCode(65 + at)}. Holm`),
      },
    }),
    filter("tags $in, 2 values (0.5% each)", { tags: { $in: ["segment-9", "segment-10"] } }),
    filter("tags $all, 2 values (30% and 0.5%)", { tags: { $all: ["newsletter", "segment-9"] } }),
    filter("email_list $in, 100 values", (k) => ({
      email_list: { $in: Array.from({ length: 100 }, (_, at) => emailAt(key(k * 100 + at))) },
    })),
    filter("name $regex ^Zoe Z", { name: { $regex: "^Zoe Z" } }),
    filter("name $regex ^Ada A. Ad", { name: { $regex: "^Ada A. Ad" } }),
    filter("employer_name $regex ^Willow Iron", { employer_name: { $regex: "^Willow Iron" } }),
    filter("name $gte Zo", { name: { $gte: "Zo" } }),
    filter("lead_status and lead_source", {
      lead_status: "incorrect",
      lead_source: "Billboard Ad",
    }),
    filter(
      "lead_status, 51%, sorted by name",
      { lead_status: "assigned" },
      { sort_dict: { name: 1 } },
    ),
    filter(
      "lead_status, 1%, sorted by name",
      { lead_status: "incorrect" },
      { sort_dict: { name: 1 } },
    ),
    filter("email_list, sorted by name", (k) => ({ email_list: emailAt(key(k)) }), {
      sort_dict: { name: 1 },
    }),
    filter("phone_list, sorted by updated_ts", (k) => ({ phone_list: phoneAt(key(k)) }), {
      sort_dict: { updated_ts: 1 },
    }),
    filter("email_list and lead_status", (k) => ({
      email_list: emailAt(key(k)),
      lead_status: "assigned",
    })),
    filter(
      "tags, 0.3%, sorted by updated_ts",
      { tags: "segment-5" },
      { sort_dict: { updated_ts: -1 } },
    ),
    filter("email_list.type, all leads match", { "email_list.type": "Main" }),
    filter("email_list.email, one match", (k) => ({ "email_list.email": emailAt(key(k)) })),
    filter("phone_list.type, no match", { "phone_list.type": "Fax" }),
  ].map(compared);

const YEAR_s = 365 * 86_400;
/** Returns the lowest id with the given time in epoch seconds. */
const idAt = (at_s: number): string =>
  `ObjectId('${Math.floor(at_s).toString(16).padEnd(24, "0")}')`;

export const questions = ({ rows, newest_s: now_s }: Filling): readonly Question[] => [
  { name: "no filter", query: () => ({}), isHeld: true },
  {
    name: "_id, older half",
    query: () => ({
      match_filter_dict: { _id: { $lt: idAt(now_s - YEAR_s) } },
      eval_object_id: true,
    }),
    isHeld: true,
  },
  ...equalities((k) => (k * 9973 + 1) % rows),
  ...SORTS,
  ...windows(now_s),
  ...comparedOnes((k) => (k * 9973 + 1) % rows),
];
