/**
 * Loads the names of the records that table rows refer to: one request per record type for each
 * page of rows.
 */

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { nameQuery } from "../../names/index.ts";
import { referenceAt, type RecordType, type Stored } from "../../record/index.ts";
import type { TableColumn } from "../fields/index.ts";

interface Page {
  readonly items: readonly Stored[];
}

/** Loads names that the rows do not contain, before the rows become visible. */
export function useReferenceNames(
  type: RecordType,
  columns: readonly TableColumn[],
  pages: readonly Page[],
): void {
  const queries = useQueryClient();
  /** The columns for which names have been loaded, by page. */
  const read = useRef(new WeakMap<Page, string>());
  useEffect(() => {
    const shown = columns.map(({ name }) => name);
    for (const page of pages) {
      if (read.current.get(page) === shown.join()) continue;
      read.current.set(page, shown.join());
      for (const record of page.items) {
        for (const name of shown) {
          const reference = referenceAt(type, record, name);
          if (reference === undefined || reference.name !== undefined) continue;
          void queries.prefetchQuery(nameQuery(reference.to, reference.id));
        }
      }
    }
  }, [queries, type, columns, pages]);
}
