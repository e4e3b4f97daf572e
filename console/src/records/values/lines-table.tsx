/** A table of a record's lines, with the total. */

import { Table } from "@mantine/core";
import { useSession } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { money } from "../../ui/format/index.ts";
import {
  type Field,
  fieldLabel,
  type Line,
  lineColumns,
  type RecordType,
  type Stored,
  sumOfLines,
} from "../record/index.ts";
import { lineCell } from "./line-cell.ts";

export interface LinesTableProps {
  readonly type: RecordType;
  readonly record: Stored;
  readonly name: string;
  readonly members: Extract<Field, { readonly kind: "lines" }>["members"];
}

export function LinesTable({ type, record, name, members }: LinesTableProps) {
  const { tenant } = useSession();
  const lines = record[name] as readonly Line[];
  const columns = lineColumns(members, lines);
  return (
    <Table.ScrollContainer minWidth={420}>
      <Table aria-label={fieldLabel(name)}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column.path.join(".")} ta={column.isNumber ? "right" : "left"}>
                {column.label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map((line, at) => (
            <Table.Tr key={at}>
              {columns.map((column) => (
                <Table.Td key={column.path.join(".")} ta={column.isNumber ? "right" : "left"}>
                  {lineCell(line, column, tenant.currency) ?? t.common.none}
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
