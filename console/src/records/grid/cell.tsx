/**
 * A value in a table cell. Dozens of rows are rendered while the user scrolls, so each cell
 * consists of one or two plain elements instead of components.
 */

import { t } from "../../text/index.ts";
import { date, exactTime, isNothing, shortDate } from "../../ui/format/index.ts";
import { isConverted, type RecordType, type Stored } from "../../record/index.ts";
import { dueOf } from "../list/index.ts";
import type { TableColumn } from "../fields/index.ts";
import { ConvertedMark } from "./converted-mark.tsx";
import css from "./grid.module.css";

export interface CellProps {
  readonly type: RecordType;
  readonly record: Stored;
  readonly column: TableColumn;
  /** Whether the cell's links can be reached with Tab. */
  readonly isActive: boolean;
}

export function Cell({ type, record, column: { name, kind, isStatus }, isActive }: CellProps) {
  const value = record[name];
  const tab = isActive ? 0 : -1;
  if (isNothing(value)) return t.common.none;
  if (isStatus && isConverted(type, record)) {
    return <ConvertedMark record={record} tabIndex={tab} />;
  }
  if (name === "due_date") return <DueDate record={record} />;
  return <kind.Cell type={type} record={record} name={name} value={value} tab={tab} />;
}

function DueDate({ record }: { readonly record: Stored }) {
  const at = Number(record["due_date"]);
  const due = dueOf(record);
  return (
    <time
      dateTime={new Date(at * 1000).toISOString()}
      title={exactTime(at)}
      className={due === undefined ? undefined : css[due]}
    >
      {due === undefined
        ? date(at)
        : due === "today"
          ? t.table.today
          : `${t.table.overdue} · ${shortDate(at)}`}
    </time>
  );
}
