/** Edits the lines of a deal, invoice or order as rows, with their total. */

import {
  ActionIcon,
  Button,
  Group,
  Input,
  Table,
  Text,
  TextInput,
  VisuallyHidden,
} from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useSession } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { money } from "../../ui/format/index.ts";
import { NumberField } from "../../ui/forms/index.ts";
import { type Field, fieldLabel, type RecordType } from "../../record/index.ts";
import {
  cellOf,
  type Line,
  type LineColumn,
  lineColumns,
  lineSum,
  sumOfLines,
  withCell,
} from "../../record/lists/index.ts";
import { messageAt, type FieldProps } from "./field-props.ts";

export interface LinesInputProps extends FieldProps {
  readonly field: Field;
}

export function LinesInput(props: LinesInputProps) {
  const { type, name, place = name, draft, issues, onChange, field } = props;
  const { tenant } = useSession();
  const lines = (draft[name] ?? []) as readonly Line[];
  const columns = lineColumns(field.members ?? []);
  const sum = sumOfLines(type, name, lines);
  const hasProducts = lineSum(type, name) !== undefined;
  const set = (next: readonly Line[]) => {
    const total = totalField(type);
    const before = sumOfLines(type, name, lines);
    const after = sumOfLines(type, name, next);
    // Keep the total equal to the sum of the lines, unless the user entered another value.
    const follows = total !== undefined && after !== before && (draft[total] ?? 0) === before;
    onChange({ [name]: next, ...(follows && { [total]: after }) });
  };
  const change = (at: number, column: LineColumn, value: unknown) =>
    set(lines.map((line, index) => (index === at ? withCell(line, column, value) : line)));
  return (
    <Input.Wrapper
      component="fieldset"
      bd={0}
      p={0}
      m={0}
      miw={0}
      labelElement="div"
      error={messageAt(issues, place)}
    >
      <Input.Label component="legend" p={0} required={field.required}>
        {fieldLabel(name)}
      </Input.Label>
      {lines.length > 0 && (
        <Table.ScrollContainer mx={-6} minWidth={160 + columns.length * 80}>
          <Table
            aria-label={fieldLabel(name)}
            horizontalSpacing={6}
            verticalSpacing={4}
            withRowBorders={false}
          >
            <Table.Thead>
              <Table.Tr>
                {columns.map((column) => (
                  <Table.Th key={column.label} w={column.isNumber ? "20%" : undefined}>
                    {column.label}
                  </Table.Th>
                ))}
                <Table.Th w={44}>
                  <VisuallyHidden>{t.common.remove}</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {lines.map((line, at) => (
                <Table.Tr key={at} style={{ verticalAlign: "top" }}>
                  {columns.map((column) => (
                    <Table.Td key={column.label}>
                      <Cell
                        column={column}
                        label={t.record.cell(column.label, at + 1)}
                        value={cellOf(line, column)}
                        error={messageAt(issues, `${place}.${at}.${column.path.join(".")}`)}
                        onChange={(value) => change(at, column, value)}
                      />
                    </Table.Td>
                  ))}
                  <Table.Td>
                    <ActionIcon
                      size={36}
                      variant="subtle"
                      color="gray"
                      aria-label={t.record.removeLine(at + 1)}
                      onClick={() => set(lines.filter((_, index) => index !== at))}
                    >
                      <IconTrash size={18} />
                    </ActionIcon>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <Group justify="space-between" mt={6}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => set([...lines, {}])}
        >
          {hasProducts ? t.record.addProduct : t.record.addLine}
        </Button>
        {lines.length > 0 && (
          <Text size="sm" fw={600} aria-live="polite">
            {t.record.sum(money(sum, tenant.currency))}
          </Text>
        )}
      </Group>
    </Input.Wrapper>
  );
}

interface CellProps {
  readonly column: LineColumn;
  readonly label: string;
  readonly value: unknown;
  readonly error: string | undefined;
  readonly onChange: (value: unknown) => void;
}

function Cell({ column, label, value, error, onChange }: CellProps) {
  if (!column.isNumber) {
    return (
      <TextInput
        aria-label={label}
        value={(value ?? "") as string}
        error={error}
        onChange={({ currentTarget }) => onChange(currentTarget.value || null)}
      />
    );
  }
  return (
    <NumberField
      aria-label={label}
      value={(value ?? "") as number | string}
      error={error}
      thousandSeparator=","
      decimalScale={6}
      clampBehavior="none"
      onChange={(typed) => onChange(typed === "" ? null : typed)}
    />
  );
}

/**
 * Returns the amount field that the form keeps equal to the total of the lines. The service does not do this. Only
 * invoices have such a field.
 */
const totalField = (type: RecordType): string | undefined =>
  Object.keys(type.fields).find(
    (name) => type.fields[name]?.kind === "money" && type.fields[name].sum_of === undefined,
  );
