/**
 * The table on wide screens: a virtualized ARIA grid. Arrow keys, Home, End and the page keys
 * move the focused row, Enter opens it, Space selects it, and Tab moves into it.
 */

import { VisuallyHidden } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import {
  useEffect,
  useId,
  useRef,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from "react";
import { t } from "../../text/index.ts";
import { Failure } from "../../ui/states/index.ts";
import { pageOf, typeLabel, type RecordType, type Stored } from "../../record/index.ts";
import { GridHead } from "./grid-head.tsx";
import css from "./grid.module.css";
import {
  type Columns,
  leastWidth,
  type ListQuery,
  type Selection,
  tracksOf,
  useReferenceNames,
} from "../list/index.ts";
import { Row } from "./row.tsx";
import { scrollerId, useVirtualRows, type VirtualRows } from "./use-virtual-rows.ts";

export const ROW_HEIGHT = 40;

export interface GridProps {
  readonly type: RecordType;
  readonly query: ListQuery;
  readonly columns: Columns;
  readonly selection: Selection;
  readonly canWrite: boolean;
  readonly selectAll: ReactNode;
}

export function Grid({ type, query, columns, selection, canWrite, selectAll }: GridProps) {
  const rows = useVirtualRows({ type, query, height: ROW_HEIGHT, head: ROW_HEIGHT });
  const { scroller, virtualizer, drawn, active, rowAt, total } = rows;
  const { onClick, onKeyDown } = useGridInput(type, rows, canWrite ? selection.toggle : undefined);
  const { shown, widths } = columns;
  useReferenceNames(type, shown, rows.pages);
  const leading = canWrite ? (type.name === "task" ? 2 : 1) : 0;
  const keysId = useId();
  const failure = <Failure error={rows.error} onRetry={rows.retry} />;
  if (rows.error !== undefined && rowAt(active) === undefined) return failure;
  const variables = { "--tracks": tracksOf(shown, widths, leading) } as Record<string, string>;
  return (
    <>
      <VisuallyHidden id={keysId}>{t.table.keys}</VisuallyHidden>
      <div
        ref={scroller}
        role="grid"
        aria-label={typeLabel(type).many}
        aria-describedby={keysId}
        aria-rowcount={total === undefined ? -1 : total + 1}
        aria-colcount={shown.length + leading}
        aria-multiselectable={canWrite || undefined}
        aria-busy={rows.isFirst}
        className={css["frame"]}
        style={variables}
        data-scroll-restoration-id={scrollerId(type)}
        onKeyDown={onKeyDown}
        onClick={onClick}
      >
        <div role="presentation" style={{ minWidth: leastWidth(shown, widths, leading) }}>
          <GridHead type={type} columns={columns} selectAll={selectAll} />
          <div role="rowgroup" className={css["body"]} style={{ height: drawn * ROW_HEIGHT }}>
            {virtualizer.getVirtualItems().map(({ index }) => {
              const record = rowAt(index);
              return (
                <Row
                  key={index}
                  type={type}
                  index={index}
                  top={index * ROW_HEIGHT}
                  record={record}
                  columns={shown}
                  isActive={index === active}
                  isSelected={record !== undefined && selection.selected.has(record._id)}
                  canWrite={canWrite}
                />
              );
            })}
          </div>
        </div>
      </div>
      {failure}
    </>
  );
}

/** Handles mouse and keyboard input for all rows in one place instead of in each row. */
function useGridInput(
  type: RecordType,
  { rowAt, virtualizer, scroller, drawn, active, setActive }: VirtualRows,
  toggle: ((record: Stored) => void) | undefined,
) {
  const router = useRouter();
  const focusNext = useRef(false);
  useEffect(() => {
    if (!focusNext.current) return;
    focusNext.current = false;
    rowElement(scroller.current, active)?.focus({ preventScroll: true });
  }, [active, scroller]);

  const onClick = (event: MouseEvent<HTMLElement>): void => {
    const target = event.target as HTMLElement;
    const index = indexOf(target);
    if (index === undefined) return;
    setActive(index);
    const record = rowAt(index);
    if (record === undefined) return;
    if (target.matches("[data-select]")) return toggle?.(record);
    if (target.closest("input, button") !== null) return;
    const link = target.closest("a");
    const isOurs = link === null || link.origin === location.origin;
    const isPlain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!isOurs || !isPlain || String(getSelection()) !== "") return;
    event.preventDefault();
    router.history.push(link?.getAttribute("href") ?? pageOf(type, record._id));
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const target = event.target as HTMLElement;
    const index = indexOf(target);
    if (index === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_HEIGHT) - 2);
    const to = movedTo(event.key, index, page, drawn - 1);
    if (to !== undefined) {
      event.preventDefault();
      focusNext.current = true;
      setActive(to);
      virtualizer.scrollToIndex(to, { align: "auto" });
      return;
    }
    const record = rowAt(index);
    if (record === undefined || target.getAttribute("role") !== "row") return;
    if (event.key === "Enter") router.history.push(pageOf(type, record._id));
    if (event.key !== " ") return;
    event.preventDefault();
    toggle?.(record);
  };
  return { onClick, onKeyDown };
}

function movedTo(key: string, from: number, page: number, last: number): number | undefined {
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + page,
    PageUp: from - page,
    Home: 0,
    End: last,
  };
  const to = moves[key];
  return to === undefined ? undefined : Math.min(last, Math.max(0, to));
}

const rowElement = (within: HTMLElement | null, index: number): HTMLElement | null =>
  within?.querySelector<HTMLElement>(`[data-index="${index}"]`) ?? null;

function indexOf(element: HTMLElement): number | undefined {
  const index = element.closest<HTMLElement>("[data-index]")?.dataset["index"];
  return index === undefined ? undefined : Number(index);
}
