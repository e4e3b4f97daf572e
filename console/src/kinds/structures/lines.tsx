/** The lines of a deal, invoice or order. */

import type { Line } from "../../record/lists/index.ts";
import { t } from "../../text/index.ts";
import { number } from "../../ui/format/index.ts";
import { TEXT } from "../filtering/index.ts";
import type { Kind } from "../kind/index.ts";
import { LinesTable, LineTexts, withoutEmptyRows } from "../shown/index.ts";

const linesIn = (value: unknown): readonly Line[] =>
  Array.isArray(value) ? (value as readonly Line[]) : [];

export const lines: Kind = {
  isNumber: true,
  isShort: true,
  isWide: true,
  isWideInput: true,
  empty: [],
  tidy: withoutEmptyRows,
  Cell: ({ value }) => number(linesIn(value).length),
  Value: ({ value }) => t.record.lineCount(linesIn(value).length),
  Detail: ({ type, record, name }) => (
    <LinesTable
      type={type}
      record={record}
      name={name}
      members={type.members[name]?.members ?? []}
    />
  ),
  Brief: ({ type, name, value }) => (
    <LineTexts members={type.members[name]?.members ?? []} lines={linesIn(value)} />
  ),
  Input: (props) => <props.inputs.LinesInput {...props} />,
  filtering: TEXT,
};
