/** Fetches counts and sums of records (docs/summaries.md). */

import { queryOptions } from "@tanstack/react-query";
import { ask } from "./client.ts";

export interface SummaryGroup {
  /** The first day of the period in the tenant's time zone: YYYY-MM-DD. */
  readonly period: string | null;
  readonly value: string | null;
  readonly count: number;
  readonly sum: number | null;
}

export interface Summary {
  readonly groups: readonly SummaryGroup[];
  readonly truncated: boolean;
  readonly total: { readonly count: number; readonly sum: number | null };
  readonly currency: string;
}

/**
 * Returns the query for a list's summary. `query` contains the parameters of `GET <list>/summary`.
 */
export const summaryQuery = (list: string, query: Readonly<Record<string, unknown>>) =>
  queryOptions({
    queryKey: ["list", list, "summary", query],
    queryFn: async ({ signal }) =>
      (await ask<Summary>("get", `${list}/summary`, { query, signal })).data,
  });
