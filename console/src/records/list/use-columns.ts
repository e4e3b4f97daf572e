/** A table's columns in TanStack Table: order, visibility, widths and sorting. */

import {
  columnOrderingFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
  type ReactTable,
} from "@tanstack/react-table";
import { useLocalStorage } from "@mantine/hooks";
import { useMemo } from "react";
import type { Kind } from "../../kinds/index.ts";
import type { RecordType, Stored } from "../../record/index.ts";
import { columnsOf, shownColumns, type TableColumn } from "../fields/index.ts";
import { orderOf, SORT_KEYS_MAX } from "./list-query.ts";
import { sortText, type TableState } from "./search.ts";

const features = tableFeatures({
  columnOrderingFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  rowSortingFeature,
});

const WIDTH_MIN = 72;
const WIDTH_MAX = 800;
/** Rows are loaded and rendered separately; TanStack Table manages only the columns. */
const NO_ROWS: Stored[] = [];

/** Numbers and dates are sorted in descending order first. */
const isFallingFirst = ({ filtering }: Kind): boolean =>
  filtering.kind === "number" || filtering.kind === "day";

const definitionOf = ({ name, label, kind, canSort, width }: TableColumn): Definition => ({
  id: name,
  accessorFn: (record) => record[name],
  header: label,
  enableSorting: canSort,
  sortDescFirst: isFallingFirst(kind),
  size: width,
  minSize: WIDTH_MIN,
  maxSize: WIDTH_MAX,
});

type Definition = ColumnDef<typeof features, Stored>;
export type ColumnTable = ReactTable<typeof features, Stored>;
export type Widths = Readonly<Record<string, number>>;

export interface Columns {
  readonly table: ColumnTable;
  /** The visible columns, in order. */
  readonly shown: readonly TableColumn[];
  /** The widths in pixels of columns that the user resized. They are stored in this browser. */
  readonly widths: Widths;
  readonly setWidths: (widths: Widths) => void;
}

export function useColumns(
  type: RecordType,
  { cols, sort }: TableState,
  onChange: (change: TableState) => void,
): Columns {
  const all = columnsOf(type);
  const definitions = useMemo(() => [...all.values()].map(definitionOf), [all]);
  const shown = useMemo(
    () => shownColumns(type, cols).flatMap((name) => all.get(name) ?? []),
    [type, cols, all],
  );
  const [widths, setWidths] = useLocalStorage<Widths>({
    key: `leadport-widths-${type.plural}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const sorting = [...orderOf(type, sort)];
  const names = shown.map(({ name }) => name);
  const table = useTable({
    features,
    columns: definitions,
    data: NO_ROWS,
    manualSorting: true,
    maxMultiSortColCount: SORT_KEYS_MAX,
    enableSortingRemoval: true,
    columnResizeMode: "onChange",
    state: {
      sorting,
      columnOrder: names,
      columnVisibility: Object.fromEntries(
        [...all.keys()].map((name) => [name, names.includes(name)]),
      ),
      columnSizing: widths,
    },
    onSortingChange: (next) =>
      onChange({ sort: sortText(typeof next === "function" ? next(sorting) : next) }),
    onColumnSizingChange: (next) =>
      setWidths((now) => (typeof next === "function" ? next({ ...now }) : next)),
  });
  return { table, shown, widths, setWidths };
}

/**
 * Returns the grid tracks of a row. Resized columns and columns with short values have fixed
 * widths; the rest share the remaining space.
 */
export function tracksOf(shown: readonly TableColumn[], widths: Widths, leading: number): string {
  const grows = ({ name, canGrow }: TableColumn) => canGrow && widths[name] === undefined;
  const tracks = shown.map((column) =>
    grows(column)
      ? `minmax(${column.width}px, ${column.width}fr)`
      : `${widths[column.name] ?? column.width}px`,
  );
  const filler = shown.some(grows) ? [] : ["minmax(0, 1fr)"];
  return [...Array.from({ length: leading }, () => "40px"), ...tracks, ...filler].join(" ");
}

/** Returns a row's minimum width in pixels. */
export const leastWidth = (
  shown: readonly TableColumn[],
  widths: Widths,
  leading: number,
): number => shown.reduce((sum, { name, width }) => sum + (widths[name] ?? width), leading * 40);
