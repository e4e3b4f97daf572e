/** A checkbox that selects all records in a list, up to the maximum, or clears the selection. */

import { useQueryClient } from "@tanstack/react-query";
import { notifications } from "@mantine/notifications";
import { useEffect, useRef } from "react";
import { sentenceOf, useSending } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { number } from "../../ui/format/index.ts";
import css from "../grid/grid.module.css";
import type { RecordType } from "../../record/index.ts";
import { type ListQuery, readAll, SELECTED_MAX, type Selection } from "../list/index.ts";

export interface SelectAllProps {
  readonly type: RecordType;
  readonly query: ListQuery;
  readonly total: number | undefined;
  readonly selection: Selection;
}

export function SelectAll({ type, query, total = 0, selection }: SelectAllProps) {
  const queries = useQueryClient();
  const { selected, replace, clear } = selection;
  const shown = useRef(query);
  useEffect(() => {
    shown.current = query;
  }, [query]);
  const reading = useSending(async () => {
    try {
      const records = await queries.fetchQuery({
        queryKey: ["list", "all", type.name, query],
        queryFn: () => readAll(type, query),
        gcTime: 0,
      });
      // The page may show another list by now.
      if (shown.current === query) replace(records);
    } catch (error) {
      notifications.show({ color: "red", title: t.errors.title, message: sentenceOf(error) });
    }
  });
  const isAll = selected.size > 0 && selected.size >= Math.min(total, SELECTED_MAX);
  return (
    <input
      type="checkbox"
      className={css["box"]}
      aria-label={isAll ? t.table.selectNone : t.table.selectAll(number(SELECTED_MAX))}
      checked={isAll}
      ref={(box) => {
        if (box !== null) box.indeterminate = selected.size > 0 && !isAll;
      }}
      disabled={reading.isSending || total === 0}
      onChange={() => (isAll ? clear() : reading.send(undefined))}
    />
  );
}
