/** Names of partner leads by ID, for users who may review them. */

import { isNotFound } from "@leadport/client";
import { queryOptions } from "@tanstack/react-query";
import { ask, readPage } from "../api/index.ts";
import { inBatches } from "./in-batches.ts";
import type { Named } from "./partner-names.ts";

const PATH = "/crm/admin/pushed_leads";
const PAGE_SIZE = 500;
/** The maximum difference between the time in an ID and the time of submission. */
const MARGIN_s = 60;
const STALE_ms = 60_000;

/** Returns the time in an ID: its first 8 hex digits are epoch seconds. */
const secondOf = (id: string): number => Number.parseInt(id.slice(0, 8), 16);
const utc = (at_s: number): string => `${new Date(at_s * 1000).toISOString().slice(0, 19)}Z`;

/** Looks up names by time of submission, because the list cannot be filtered by ID. */
const readTogether = inBatches(async (ids) => {
  const seconds = ids.map(secondOf);
  const { items } = await readPage<Named>(PATH, {
    query: {
      fields: "name",
      start_date: utc(Math.min(...seconds) - MARGIN_s),
      end_date: utc(Math.max(...seconds) + MARGIN_s),
      page_size: PAGE_SIZE,
    },
  });
  return new Map(items.map(({ id, name }) => [id, name]));
}, PAGE_SIZE);

/** Looks up the name of a lead that was not on the loaded page. */
async function readAlone(id: string): Promise<string | null> {
  try {
    return (await ask<Named>("get", `${PATH}/${encodeURIComponent(id)}`)).data.name;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** The query for a partner lead's name; null if the lead does not exist. */
export const pushedLeadNameQuery = (id: string) =>
  queryOptions({
    queryKey: ["name", "pushed_lead", id],
    queryFn: async (): Promise<string | null> => (await readTogether(id)) ?? readAlone(id),
    staleTime: STALE_ms,
  });
