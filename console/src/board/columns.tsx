/** The columns beside each other, and what is dragged between them. */

import { DndContext, DragOverlay, type DragEndEvent } from "@dnd-kit/core";
import { Text, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import { t } from "../text/index.ts";
import classes from "./board.module.css";
import { CardText } from "./card.tsx";
import { Column } from "./column.tsx";
import type { Deal, Filter, Totals } from "./deals.ts";
import { announcements, columnUnder, dealOf, useDragging } from "./dragging.ts";
import { focusWhenMoved } from "./focus-card.ts";
import { useMoves } from "./use-moves.ts";

export interface ColumnsProps {
  readonly stages: readonly string[];
  readonly filter: Filter;
  readonly totals: ReadonlyMap<string, Totals> | undefined;
  readonly mayMove: boolean;
  readonly isDraggable: boolean;
}

const accessibility = {
  announcements,
  screenReaderInstructions: { draggable: t.board.instructions },
};

export function Columns({ stages, filter, totals, mayMove, isDraggable }: ColumnsProps) {
  const moves = useMoves(filter);
  const [dragged, setDragged] = useState<Deal>();
  const sensors = useDragging();
  const drop = ({ active, over, activatorEvent }: DragEndEvent) => {
    setDragged(undefined);
    const deal = dealOf(active);
    if (deal === undefined || over === null) return;
    if (activatorEvent instanceof KeyboardEvent) focusWhenMoved(deal._id, "handle");
    void moves.move(deal, String(over.id));
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={columnUnder}
      accessibility={accessibility}
      onDragStart={({ active }) => setDragged(dealOf(active))}
      onDragCancel={() => setDragged(undefined)}
      onDragEnd={drop}
    >
      <VisuallyHidden role="status">{moves.said}</VisuallyHidden>
      <div className={classes["board"]} data-wide role="group" aria-label={t.board.columns}>
        {stages.map((stage) => (
          <Column
            key={stage}
            stage={stage}
            filter={filter}
            totals={totals?.get(stage)}
            moves={moves}
            mayMove={mayMove}
            isDraggable={isDraggable}
          />
        ))}
      </div>
      <DragOverlay dropAnimation={null}>
        {dragged !== undefined && (
          <div className={`${classes["card"]} ${classes["lifted"]}`}>
            <Text size="sm" fw={600} className={classes["name"]}>
              {dragged.name}
            </Text>
            <CardText deal={dragged} />
          </div>
        )}
      </DragOverlay>
    </DndContext>
  );
}
