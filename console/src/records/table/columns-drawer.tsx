/** Changes the visibility, order and width of columns, by dragging or with buttons. */

import { Button, Checkbox, Drawer, Group, Stack, Text, Title } from "@mantine/core";
import { DndContext, PointerSensor, useSensor, useSensors } from "@dnd-kit/core";
import { t } from "../../text/index.ts";
import type { RecordType } from "../../record/index.ts";
import { ColumnItem } from "./column-item.tsx";
import type { Columns } from "../list/index.ts";
import { columnsOf, defaultColumns } from "../fields/index.ts";

export interface ColumnsDrawerProps {
  readonly type: RecordType;
  readonly columns: Columns;
  readonly opened: boolean;
  readonly onClose: () => void;
  /** Called with the names of the visible columns; undefined for the default columns. */
  readonly onChange: (cols: string | undefined) => void;
}

/** A press is not a drag if the pointer moves less than this. */
const sensor = { activationConstraint: { distance: 4 } };

export function ColumnsDrawer({ type, columns, opened, onClose, onChange }: ColumnsDrawerProps) {
  const { shown, widths, setWidths } = columns;
  const sensors = useSensors(useSensor(PointerSensor, sensor));
  const names = shown.map(({ name }) => name);
  const hidden = [...columnsOf(type).values()].filter(({ name }) => !names.includes(name));
  const set = (next: readonly string[]) => {
    const isFirst = next.join() === defaultColumns(type).join();
    onChange(isFirst ? undefined : next.join(","));
  };
  const move = (name: string, to: number) => {
    const others = names.filter((other) => other !== name);
    set(others.toSpliced(to, 0, name));
  };
  return (
    <Drawer opened={opened} onClose={onClose} position="right" title={t.table.columnsTitle}>
      <Text size="sm" c="dimmed" mb="sm">
        {t.table.columnsHint}
      </Text>
      <DndContext
        sensors={sensors}
        onDragEnd={({ active, over }) => {
          if (over !== null) move(String(active.id), names.indexOf(String(over.id)));
        }}
      >
        <Stack gap={2} component="ul" p={0} m={0} aria-label={t.table.shown}>
          {shown.map((column, at) => (
            <ColumnItem
              key={column.name}
              column={column}
              width={widths[column.name] ?? column.width}
              isFirst={at === 0}
              isLast={at === shown.length - 1}
              isOnly={shown.length === 1}
              onHide={() => set(names.filter((name) => name !== column.name))}
              onMove={(by) => move(column.name, at + by)}
              onWidth={(width) => setWidths({ ...widths, [column.name]: width })}
            />
          ))}
        </Stack>
      </DndContext>
      <Title order={3} fz="sm" mt="lg" mb="xs">
        {t.table.hidden}
      </Title>
      <Stack gap="xs" pl={36}>
        {hidden.map(({ name, label }) => (
          <Checkbox
            key={name}
            label={label}
            checked={false}
            onChange={() => set([...names, name])}
          />
        ))}
      </Stack>
      <Group mt="lg">
        <Button
          variant="default"
          onClick={() => {
            setWidths({});
            onChange(undefined);
          }}
        >
          {t.table.resetColumns}
        </Button>
      </Group>
    </Drawer>
  );
}
