/** Loads the deals in each stage and their totals. */

import { useQuery } from "@tanstack/react-query";
import { ask, type Summary, summaryQuery } from "../api/index.ts";
import { listPath, type RecordType, type Stored, typeNamed } from "../record/index.ts";
import type { BoardSearch } from "./search.ts";
import { containing } from "../ui/format/index.ts";
import { readDay, startOfDay } from "../ui/days/index.ts";

export const dealType = (): RecordType => typeNamed("deal");
export const dealsPath = (): string => listPath(dealType());

export interface Deal extends Stored {
  readonly stage: string;
  readonly lost_reason: string | null;
  readonly account_name: string | null;
  readonly contact_name: string | null;
  readonly value_of_sale: number | null;
  readonly estimated_value_of_sale: number | null;
  readonly expected_close_date: number | null;
  readonly close_date: number | null;
  readonly user_name: string | null;
}

/** Returns the stages in column order. */
export function stages(): readonly string[] {
  const { fields, status_field } = dealType();
  return fields[status_field]?.options ?? [];
}

/** Whether a stage is for closed deals. */
export const isClosed = (stage: string): boolean => stage.startsWith("closed_");

/** A condition in `match_filter_dict`. */
export type Filter = Readonly<Record<string, unknown>>;

export const NAMES_MAX = 500;

/** Returns the IDs of accounts or contacts whose name contains a string: at most `NAMES_MAX`. */
async function idsNamed(type: "account" | "contact", text: string, signal: AbortSignal) {
  const { data } = await ask<readonly Stored[]>("get", listPath(typeNamed(type)), {
    query: {
      match_filter_dict: { name: containing(text) },
      page_size: NAMES_MAX,
    },
    signal,
  });
  return data.map(({ _id }) => _id);
}

/** Returns the filter that all columns share; undefined while names are being looked up. */
export function useFilter({ who, source, before }: BoardSearch): {
  readonly filter: Filter | undefined;
  /** Whether some accounts or contacts whose name matches are missing from the filter. */
  readonly isPartial: boolean;
  readonly error: unknown;
} {
  const named = useQuery({
    queryKey: ["list", "ids named", who],
    queryFn: async ({ signal }) => {
      const [accounts, contacts] = await Promise.all([
        idsNamed("account", who ?? "", signal),
        idsNamed("contact", who ?? "", signal),
      ]);
      return {
        $or: [{ account_id: { $in: accounts } }, { contact_id: { $in: contacts } }],
        isPartial: Math.max(accounts.length, contacts.length) === NAMES_MAX,
      };
    },
    enabled: who !== undefined,
  });
  const day = readDay(before);
  const isKnown = who === undefined || named.data !== undefined;
  const filter = {
    ...(source !== undefined && { marketing_source: source }),
    ...(day !== undefined && { expected_close_date: { $lt: startOfDay(day) } }),
    ...(who !== undefined && { $or: named.data?.$or }),
  };
  return {
    filter: isKnown ? filter : undefined,
    isPartial: named.data?.isPartial === true,
    error: named.error,
  };
}

const PAGE_SIZE = 50;

/** Returns the query for the deals in a stage, most recently updated first. */
export const columnQuery = (stage: string, filter: Filter) => ({
  match_filter_dict: { stage, ...filter },
  sort_dict: { updated_ts: -1 },
  page_size: PAGE_SIZE,
});

export interface Totals {
  readonly count: number;
  readonly value: number;
  readonly weighted: number;
}

/** Totals by stage; undefined while loading, null if loading failed. */
export function useTotals(filter: Filter | undefined): {
  readonly totals: ReadonlyMap<string, Totals> | null | undefined;
  readonly count: number | undefined;
  readonly error: unknown;
  readonly retry: () => void;
} {
  const by = { group_by: "stage", match_filter_dict: filter ?? {} };
  const enabled = filter !== undefined;
  const values = useQuery({
    ...summaryQuery(dealsPath(), { ...by, sum: "value_of_sale" }),
    enabled,
  });
  const weights = useQuery({
    ...summaryQuery(dealsPath(), { ...by, sum: "estimated_value_of_sale" }),
    enabled,
  });
  const error = values.error ?? weights.error;
  return {
    totals:
      values.data !== undefined && weights.data !== undefined
        ? totalsOf(values.data, weights.data)
        : error === null
          ? undefined
          : null,
    count: values.data?.total.count,
    error,
    retry: () => void Promise.all([values.refetch(), weights.refetch()]),
  };
}

const groupIn = ({ groups }: Summary, stage: string) => groups.find(({ value }) => value === stage);

function totalsOf(values: Summary, weights: Summary): ReadonlyMap<string, Totals> {
  return new Map(
    stages().map((stage) => {
      const { count = 0, sum } = groupIn(values, stage) ?? {};
      return [stage, { count, value: sum ?? 0, weighted: groupIn(weights, stage)?.sum ?? 0 }];
    }),
  );
}

/** Returns the sources that deals have, most frequent first. */
export function useSources(): readonly string[] {
  const { data } = useQuery(summaryQuery(dealsPath(), { group_by: "marketing_source" }));
  return (data?.groups ?? []).flatMap(({ value }) => (value === null ? [] : [value]));
}
