/** The lines of a record, and what they come to. */

import { Table } from "@mantine/core";
import { useSession } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { money, number } from "../../ui/format/index.ts";
import {
  cellOf,
  type Field,
  fieldLabel,
  type Line,
  type LineColumn,
  lineColumns,
  type RecordType,
  type Stored,
  sumOfLines,
} from "../record/index.ts";

export interface LinesTableProps {
  readonly type: RecordType;
  readonly record: Stored;
  readonly name: string;
  readonly members: Extract<Field, { readonly kind: "lines" }>["members"];
}

const COUNTS = new Set(["qty", "unit_count"]);

export function LinesTable({ type, record, name, members }: LinesTableProps) {
  const { tenant } = useSession();
  const lines = record[name] as readonly Line[];
  const columns = lineColumns(members);
  const text = (line: Line, column: LineColumn): string => {
    const value = cellOf(line, column);
    if (value === null) return t.common.none;
    if (typeof value !== "number") return String(value);
    return COUNTS.has(column.path.at(-1) ?? "") ? number(value) : money(value, tenant.currency);
  };
  return (
    <Table.ScrollContainer minWidth={420} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label={fieldLabel(name)}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column.label} ta={column.isNumber ? "right" : "left"}>
                {column.label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map((line, at) => (
            <Table.Tr key={at}>
              {columns.map((column) => (
                <Table.Td key={column.label} ta={column.isNumber ? "right" : "left"}>
                  {text(line, column)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th colSpan={columns.length} ta="right">
              {t.record.sum(money(sumOfLines(type, name, lines), tenant.currency))}
            </Table.Th>
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </Table.ScrollContainer>
  );
}
