/** One row in the table. It rerenders only if its own data changes. */

import { memo } from "react";
import { t } from "../../text/index.ts";
import { isConverted, pageOf, type RecordType, type Stored } from "../../record/index.ts";
import { Cell } from "./cell.tsx";
import { identityOf, type TableColumn } from "../fields/index.ts";
import { CompleteBox } from "./complete-box.tsx";
import { ConvertedMark } from "./converted-mark.tsx";
import css from "./grid.module.css";

export interface RowProps {
  readonly type: RecordType;
  readonly index: number;
  /** The distance from the top of the list in pixels. */
  readonly top: number;
  /** The record; undefined while loading. */
  readonly record: Stored | undefined;
  readonly columns: readonly TableColumn[];
  readonly isActive: boolean;
  readonly isSelected: boolean;
  /** Whether the user can select rows and complete tasks. */
  readonly canWrite: boolean;
}

export const Row = memo(function Row(props: RowProps) {
  const { type, index, top, record, columns, isActive, isSelected, canWrite } = props;
  const name = record === undefined ? "" : nameOf(type, record);
  // A status column would already show this.
  const showsConverted = columns.every(({ isStatus }) => !isStatus);
  return (
    <div
      role="row"
      className={css["row"]}
      aria-rowindex={index + 2}
      aria-selected={canWrite ? isSelected : undefined}
      aria-busy={record === undefined || undefined}
      data-index={index}
      tabIndex={isActive ? 0 : -1}
      style={{ transform: `translateY(${top}px)` }}
    >
      {canWrite && (
        <div role="gridcell" className={css["tool"]}>
          {record !== undefined && (
            <input
              type="checkbox"
              className={css["box"]}
              data-select
              aria-label={t.table.selectRow(name)}
              checked={isSelected}
              readOnly
              tabIndex={isActive ? 0 : -1}
            />
          )}
        </div>
      )}
      {canWrite && type.name === "task" && (
        <div role="gridcell" className={css["tool"]}>
          {record !== undefined && (
            <CompleteBox type={type} record={record} tabIndex={isActive ? 0 : -1} />
          )}
        </div>
      )}
      {columns.map((column) => (
        <div
          key={column.name}
          role="gridcell"
          className={column.isNumber ? `${css["cell"]} ${css["number"]}` : css["cell"]}
        >
          {record === undefined ? (
            <span className={css["waiting"]} />
          ) : column.name === identityOf(type) ? (
            <span className={css["identity"]}>
              <a
                href={pageOf(type, record._id)}
                title={name}
                data-open
                tabIndex={isActive ? 0 : -1}
              >
                {name}
              </a>
              {showsConverted && isConverted(type, record) && (
                <ConvertedMark record={record} tabIndex={isActive ? 0 : -1} />
              )}
            </span>
          ) : (
            <Cell type={type} record={record} column={column} isActive={isActive} />
          )}
        </div>
      ))}
    </div>
  );
});

/** Returns the display name of a record. */
export const nameOf = (type: RecordType, record: Stored): string =>
  String(record[identityOf(type)] ?? record.name);
