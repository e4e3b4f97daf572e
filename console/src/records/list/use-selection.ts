/** The selected records of a list, for bulk actions. */

import { useCallback, useState } from "react";
import { readPage } from "../../api/index.ts";
import { listPath, type RecordType, type Stored } from "../../record/index.ts";
import type { ListQuery } from "./list-query.ts";

/** The maximum number of records that can be selected. */
export const SELECTED_MAX = 1000;
const PAGE_SIZE = 500;

export type Selected = ReadonlyMap<string, Stored>;

export interface Selection {
  readonly selected: Selected;
  readonly toggle: (record: Stored) => void;
  readonly clear: () => void;
  readonly replace: (records: readonly Stored[]) => void;
}

export function useSelection(): Selection {
  const [selected, setSelected] = useState<Selected>(new Map());
  const toggle = useCallback((record: Stored) => {
    setSelected((now) => {
      const next = new Map(now);
      if (!next.delete(record._id) && next.size < SELECTED_MAX) next.set(record._id, record);
      return next;
    });
  }, []);
  const replace = useCallback((records: readonly Stored[]) => {
    setSelected(new Map(records.slice(0, SELECTED_MAX).map((record) => [record._id, record])));
  }, []);
  const clear = useCallback(() => setSelected(new Map()), []);
  return { selected, toggle, clear, replace };
}

/** Returns a list's first records, up to the maximum that can be selected. */
export async function readAll(type: RecordType, query: ListQuery): Promise<readonly Stored[]> {
  const records: Stored[] = [];
  let cursor: string | undefined;
  do {
    const page = await readPage<Stored>(listPath(type), {
      query: { ...query, page_size: PAGE_SIZE },
      cursor,
    });
    records.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined && records.length < SELECTED_MAX);
  return records;
}
