/** A record's lines as text, for places without space for a table: histories and comparisons. */

import { useSession } from "../../api/index.ts";
import { type Line, lineColumns, type Members } from "../../record/lists/index.ts";
import { lineCell } from "./line-cell.ts";

export interface LineTextsProps {
  readonly members: Members;
  readonly lines: readonly Line[];
}

export function LineTexts({ members, lines }: LineTextsProps) {
  const { tenant } = useSession();
  const columns = lineColumns(members, lines);
  return lines.map((line, at) => (
    <div key={at}>
      {columns
        .flatMap((column) => {
          const text = lineCell(line, column, tenant.currency);
          return text === undefined ? [] : [`${column.label}: ${text}`];
        })
        .join(" · ")}
    </div>
  ));
}
