/** A table of a record's lines, with the total. */

import { Text } from "@mantine/core";
import { useSession } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { money } from "../../ui/format/index.ts";
import { type Column, DataTable } from "../../ui/lists/index.ts";
import { fieldLabel, type RecordType, type Stored } from "../../record/index.ts";
import { type Line, lineColumns, type Members, sumOfLines } from "../../record/lists/index.ts";
import { lineCell } from "./line-cell.ts";

export interface LinesTableProps {
  readonly type: RecordType;
  readonly record: Stored;
  readonly name: string;
  readonly members: Members;
}

interface Item {
  readonly line: Line;
  readonly at: number;
}

export function LinesTable({ type, record, name, members }: LinesTableProps) {
  const { tenant } = useSession();
  const lines = record[name] as readonly Line[];
  const columns = lineColumns(members, lines).map((column): Column<Item> => ({
    label: column.label,
    ...(column.isNumber && { isNumber: true }),
    cell: ({ line }) => lineCell(line, column, tenant.currency) ?? t.common.none,
  }));
  return (
    <>
      <DataTable
        label={fieldLabel(name)}
        items={lines.map((line, at) => ({ line, at }))}
        columns={columns}
        keyOf={({ at }) => String(at)}
      />
      <Text fw={600} size="sm" ta="right">
        {t.record.sum(money(sumOfLines(type, name, lines), tenant.currency))}
      </Text>
    </>
  );
}
