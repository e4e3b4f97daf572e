/**
 * Resends deliveries in batches as large as the service accepts, and collects failures with their
 * reasons.
 */

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, readPage } from "../api/index.ts";
import { DELIVERIES, type Delivery } from "./search.ts";

/** The maximum number of deliveries that can be resent at once. */
export const RESEND_ALL_MAX = 1000;
const AT_ONCE = 100;
const PAGE_SIZE = 500;

export interface NotResent {
  readonly delivery: Delivery;
  readonly why: string;
}

export interface ResendState {
  readonly total: number;
  readonly done: number;
  readonly failures: readonly NotResent[];
  readonly isRunning: boolean;
  /** Why resending stopped. The remaining deliveries can be retried. */
  readonly error: unknown;
}

const NOT_STARTED: ResendState = {
  total: 0,
  done: 0,
  failures: [],
  isRunning: false,
  error: undefined,
};

export interface Resending {
  readonly state: ResendState;
  /**
   * Queues the deliveries that `find` returns. After an error, calling it again continues with the
   * remaining deliveries.
   */
  readonly run: (find: () => Promise<readonly Delivery[]>) => Promise<ResendState>;
}

export function useResending(): Resending {
  const queries = useQueryClient();
  const [state, setState] = useState(NOT_STARTED);
  const [found, setFound] = useState<readonly Delivery[]>();

  const run = async (find: () => Promise<readonly Delivery[]>): Promise<ResendState> => {
    let now: ResendState = { ...state, isRunning: true, error: undefined };
    const show = (next: Partial<ResendState>) => {
      now = { ...now, ...next };
      setState(now);
    };
    show({});
    try {
      const all = found ?? (await find());
      setFound(all);
      show({ total: all.length });
      while (now.done < all.length) {
        const some = all.slice(now.done, now.done + AT_ONCE);
        const failures = await resendSome(some);
        show({ done: now.done + some.length, failures: [...now.failures, ...failures] });
      }
    } catch (error) {
      show({ error });
    }
    show({ isRunning: false });
    await queries.invalidateQueries({ queryKey: ["list"] });
    return now;
  };
  return { state, run };
}

async function resendSome(some: readonly Delivery[]): Promise<readonly NotResent[]> {
  const ids = some.map(({ id }) => id);
  const results = await api.post("/crm/admin/deliveries/resend", { body: { ids } });
  return results.flatMap(({ id, ok, detail }) => {
    const delivery = some.find((one) => one.id === id);
    return ok || delivery === undefined ? [] : [{ delivery, why: detail ?? "" }];
  });
}

/** Returns the newest failed deliveries that match a query, up to RESEND_ALL_MAX. */
export async function readFailed(
  query: Readonly<Record<string, unknown>>,
): Promise<readonly Delivery[]> {
  const deliveries: Delivery[] = [];
  let cursor: string | undefined;
  do {
    const page = await readPage<Delivery>(DELIVERIES, {
      query: { ...query, status: "failed", page_size: PAGE_SIZE },
      cursor,
    });
    deliveries.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined && deliveries.length < RESEND_ALL_MAX);
  return deliveries.slice(0, RESEND_ALL_MAX);
}
