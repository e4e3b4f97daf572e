/** A record as a card: its name, its status, and the values of three visible columns. */

import { memo } from "react";
import { t } from "../../text/index.ts";
import { isConverted, pageOf, type RecordType, type Stored } from "../../record/index.ts";
import css from "./cards.module.css";
import grid from "./grid.module.css";
import { Cell } from "./cell.tsx";
import { identityOf, type TableColumn } from "../fields/index.ts";
import { CompleteBox } from "./complete-box.tsx";
import { ConvertedMark } from "./converted-mark.tsx";
import { nameOf } from "./row.tsx";
import { TextLink } from "../../ui/states/index.ts";

export interface CardProps {
  readonly type: RecordType;
  readonly index: number;
  /** The total number of cards; -1 while they are being counted. */
  readonly count: number;
  readonly top: number;
  readonly record: Stored | undefined;
  readonly columns: readonly TableColumn[];
  readonly isSelected: boolean;
  /** Selects or deselects the record. Undefined if records cannot be selected. */
  readonly onSelect: ((record: Stored) => void) | undefined;
}

const SHOWN = 3;

const hasValue = (record: Stored, name: string): boolean => {
  const value = record[name];
  return (
    value !== null &&
    value !== undefined &&
    value !== "" &&
    !(Array.isArray(value) && value.length === 0)
  );
};

export const Card = memo(function Card(props: CardProps) {
  const { type, index, count, top, record, columns, isSelected, onSelect } = props;
  const state = columns.find(({ isStatus }) => isStatus);
  const others = columns
    .filter((column) => column !== state && column.name !== identityOf(type))
    .filter(({ name }) => record !== undefined && hasValue(record, name))
    .slice(0, SHOWN);
  return (
    <li
      className={css["card"]}
      aria-setsize={count}
      aria-posinset={index + 1}
      style={{ transform: `translateY(${top}px)` }}
    >
      {record === undefined ? (
        <span className={css["waiting"]} />
      ) : (
        <>
          {onSelect !== undefined && (
            <input
              type="checkbox"
              className={grid["box"]}
              aria-label={t.table.selectRow(nameOf(type, record))}
              checked={isSelected}
              onChange={() => onSelect(record)}
            />
          )}
          <div className={css["text"]}>
            <div className={css["title"]}>
              <TextLink
                to={pageOf(type, record._id)}
                fw={600}
                fz="sm"
                truncate
                title={nameOf(type, record)}
              >
                {nameOf(type, record)}
              </TextLink>
              {state === undefined && isConverted(type, record) && (
                <ConvertedMark record={record} tabIndex={0} />
              )}
              {state !== undefined && (
                <span>
                  <Cell type={type} record={record} column={state} isActive />
                </span>
              )}
            </div>
            {others.map((column) => (
              <div key={column.name} className={css["value"]}>
                <span>{column.label}</span>
                <span>
                  <Cell type={type} record={record} column={column} isActive />
                </span>
              </div>
            ))}
          </div>
          {onSelect !== undefined && type.name === "task" && (
            <CompleteBox type={type} record={record} tabIndex={0} />
          )}
        </>
      )}
    </li>
  );
});
