/** The search parameters of the portal's pages. Invalid values are ignored. */

import { readDay } from "../../ui/days/index.ts";

type Given = Readonly<Record<string, unknown>>;

export interface SignInSearch {
  /** The page to open after signing in. */
  readonly to?: string;
  /** Whether the partner must sign in because a session ended. */
  readonly ended?: true;
  /** The ID of the business whose name is shown. */
  readonly business?: string;
  /** The Partner ID to fill in. */
  readonly partner?: string;
}

export const signInSearch = (given: Given): SignInSearch => ({
  ...(typeof given["to"] === "string" &&
    /^\/partner(?=[/?]|$)/.test(given["to"]) && { to: given["to"] }),
  ...(given["ended"] === true && { ended: true }),
  ...text(given, "business"),
  ...text(given, "partner"),
});

const text = <N extends string>(given: Given, name: N): { readonly [K in N]?: string } => {
  const value = given[name];
  return (typeof value === "string" && value !== "" ? { [name]: value } : {}) as {
    readonly [K in N]?: string;
  };
};

const day = <N extends string>(given: Given, name: N): { readonly [K in N]?: string } =>
  readDay(given[name]) === undefined ? {} : text(given, name);

export interface PushedSearch {
  readonly status?: string;
  readonly source?: string;
  /** Days in the user's time zone, both inclusive. */
  readonly from?: string;
  readonly to?: string;
}

export const pushedSearch = (given: Given): PushedSearch => ({
  ...text(given, "status"),
  ...text(given, "source"),
  ...day(given, "from"),
  ...day(given, "to"),
});

export interface PeopleSearch {
  readonly kind?: "contacts";
  readonly name?: string;
  readonly status?: string;
  readonly source?: string;
}

export const peopleSearch = (given: Given): PeopleSearch => ({
  ...(given["kind"] === "contacts" && { kind: "contacts" }),
  ...text(given, "name"),
  ...text(given, "status"),
  ...text(given, "source"),
});

export const RANGES = ["this_month", "last_month", "quarter", "year", "all", "custom"] as const;

export type RangeName = (typeof RANGES)[number];

export interface AnalyticsSearch {
  /** The named range. Default: this month. */
  readonly range?: RangeName;
  /** The custom range: days in the user's time zone, both inclusive. */
  readonly from?: string;
  readonly to?: string;
}

export const analyticsSearch = (given: Given): AnalyticsSearch => {
  const range = RANGES.find((name) => name === given["range"]);
  return {
    ...(range !== undefined && { range }),
    ...day(given, "from"),
    ...day(given, "to"),
  };
};
