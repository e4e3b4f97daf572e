/** The table's header: column headers with sorting and resizing. */

import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { VisuallyHidden } from "@mantine/core";
import type { MouseEvent, TouchEvent } from "react";
import { flushSync } from "react-dom";
import { t } from "../../text/index.ts";
import type { RecordType } from "../../record/index.ts";
import type { Columns, ColumnTable } from "../list/index.ts";
import type { TableColumn } from "../fields/index.ts";
import css from "./grid.module.css";

export interface GridHeadProps {
  readonly type: RecordType;
  readonly columns: Columns;
  /** Shown above the row checkboxes; empty if rows cannot be selected. */
  readonly selectAll: React.ReactNode;
}

export function GridHead({ type, columns, selectAll }: GridHeadProps) {
  const { table, shown, widths, setWidths } = columns;
  const keys = table.state.sorting.length;
  return (
    <div role="rowgroup" className={css["head"]}>
      <div role="row" aria-rowindex={1} className={css["headRow"]}>
        {selectAll !== undefined && (
          <div role="columnheader" className={css["tool"]}>
            {selectAll}
          </div>
        )}
        {selectAll !== undefined && type.name === "task" && (
          <div role="columnheader" className={css["tool"]}>
            <VisuallyHidden>{t.table.completed}</VisuallyHidden>
          </div>
        )}
        {shown.map((column) => (
          <HeadCell
            key={column.name}
            column={column}
            table={table}
            hasOthers={keys > 1}
            onStart={(width) => setWidths({ ...widths, [column.name]: width })}
            onReset={() => {
              const { [column.name]: _, ...others } = widths;
              setWidths(others);
            }}
          />
        ))}
      </div>
    </div>
  );
}

interface HeadCellProps {
  readonly column: TableColumn;
  readonly table: ColumnTable;
  /** Whether the list is sorted by more than one column. */
  readonly hasOthers: boolean;
  readonly onStart: (width: number) => void;
  readonly onReset: () => void;
}

function HeadCell({
  column: { name, label, isNumber },
  table,
  hasOthers,
  onStart,
  onReset,
}: HeadCellProps) {
  const column = table.getColumn(name);
  const header = table.getFlatHeaders().find(({ id }) => id === name);
  const sorted = column?.getIsSorted() ?? false;
  const begin = (event: MouseEvent<HTMLElement> | TouchEvent<HTMLElement>): void => {
    const cell = event.currentTarget.parentElement;
    // Start with the rendered width, which also depends on the other columns.
    if (cell !== null) flushSync(() => onStart(cell.offsetWidth));
    header?.getResizeHandler()(event);
  };
  const Arrow = sorted === "desc" ? IconArrowDown : IconArrowUp;
  return (
    <div
      role="columnheader"
      aria-sort={sorted === false ? undefined : sorted === "asc" ? "ascending" : "descending"}
      className={isNumber ? `${css["headCell"]} ${css["number"]}` : css["headCell"]}
    >
      {column?.getCanSort() === true ? (
        <button
          type="button"
          className={css["sort"]}
          title={t.table.sortHint}
          onClick={column.getToggleSortingHandler()}
        >
          <span title={label}>{label}</span>
          {sorted !== false && <Arrow size={14} aria-hidden />}
          {sorted !== false && hasOthers && <small>{column.getSortIndex() + 1}</small>}
        </button>
      ) : (
        <span className={css["sort"]}>
          <span title={label}>{label}</span>
        </span>
      )}
      <div
        aria-hidden
        title={t.table.resize(label)}
        className={css["resize"]}
        data-is-resizing={column?.getIsResizing() === true || undefined}
        onMouseDown={begin}
        onTouchStart={begin}
        onDoubleClick={onReset}
      />
    </div>
  );
}
