/** A visible column in the columns drawer. */

import { ActionIcon, Checkbox, Group } from "@mantine/core";
import { useDraggable, useDroppable } from "@dnd-kit/core";
import {
  IconArrowDown,
  IconArrowUp,
  IconGripVertical,
  IconMinus,
  IconPlus,
} from "@tabler/icons-react";
import { t } from "../../text/index.ts";
import type { TableColumn } from "../fields/index.ts";

const WIDTH_STEP = 24;
const WIDTH_MIN = 72;
const WIDTH_MAX = 800;

export interface ColumnItemProps {
  readonly column: TableColumn;
  readonly width: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** Whether this is the only visible column, which cannot be hidden. */
  readonly isOnly: boolean;
  readonly onHide: () => void;
  readonly onMove: (by: 1 | -1) => void;
  readonly onWidth: (width: number) => void;
}

export function ColumnItem(props: ColumnItemProps) {
  const { column, width, isFirst, isLast, isOnly, onHide, onMove, onWidth } = props;
  const { name, label } = column;
  const drag = useDraggable({ id: name });
  const drop = useDroppable({ id: name });
  const buttons = [
    { text: t.table.narrower(label), icon: IconMinus, to: width - WIDTH_STEP },
    { text: t.table.wider(label), icon: IconPlus, to: width + WIDTH_STEP },
  ];
  return (
    <Group
      component="li"
      ref={drop.setNodeRef}
      gap={4}
      wrap="nowrap"
      py={4}
      style={{
        listStyle: "none",
        borderTop: `2px solid ${drop.isOver ? "var(--mantine-primary-color-filled)" : "transparent"}`,
        opacity: drag.isDragging ? 0.5 : 1,
      }}
    >
      <ActionIcon
        ref={drag.setNodeRef}
        variant="subtle"
        color="gray"
        tabIndex={-1}
        aria-label={t.table.drag(label)}
        style={{ cursor: "grab", touchAction: "none" }}
        onPointerDown={drag.listeners?.["onPointerDown"] as React.PointerEventHandler}
      >
        <IconGripVertical size={16} aria-hidden />
      </ActionIcon>
      <Checkbox label={label} checked disabled={isOnly} onChange={onHide} flex={1} miw={0} />
      {buttons.map(({ text, icon: Pictured, to }) => (
        <ActionIcon
          key={text}
          variant="subtle"
          color="gray"
          aria-label={text}
          disabled={to < WIDTH_MIN || to > WIDTH_MAX}
          onClick={() => onWidth(to)}
        >
          <Pictured size={16} aria-hidden />
        </ActionIcon>
      ))}
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t.table.moveUp(label)}
        disabled={isFirst}
        onClick={() => onMove(-1)}
      >
        <IconArrowUp size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t.table.moveDown(label)}
        disabled={isLast}
        onClick={() => onMove(1)}
      >
        <IconArrowDown size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
