/** The columns, side by side. Handles moving deals between them. */

import { DndContext, DragOverlay, type DragEndEvent } from "@dnd-kit/core";
import { Text } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useState } from "react";
import { LostReasonDialog } from "../records/editing/index.ts";
import { asksForReason } from "../record/index.ts";
import { t } from "../text/index.ts";
import classes from "./board.module.css";
import { CardText } from "./card.tsx";
import { Column } from "./column.tsx";
import { dealType, type Deal, type Filter, type Totals } from "./deals.ts";
import { announcements, columnUnder, dealOf, useDragging } from "./dragging.ts";
import { type Control, focusCard } from "./focus-card.ts";
import { undoLatest } from "./undo-notice.tsx";
import { useMoves } from "./use-moves.ts";

export interface ColumnsProps {
  readonly stages: readonly string[];
  readonly filter: Filter;
  /** The totals by stage. Undefined while loading; null if loading failed. */
  readonly totals: ReadonlyMap<string, Totals> | null | undefined;
  readonly mayMove: boolean;
  readonly isDraggable: boolean;
}

/** A deal being moved to the lost stage. The user is asked for a reason before the move. */
interface Losing {
  readonly deal: Deal;
  readonly stage: string;
  readonly control: Control | undefined;
}

const accessibility = {
  announcements,
  screenReaderInstructions: { draggable: t.board.instructions },
};

export function Columns({ stages, filter, totals, mayMove, isDraggable }: ColumnsProps) {
  const moves = useMoves();
  const [dragged, setDragged] = useState<Deal>();
  const [losing, setLosing] = useState<Losing>();
  const sensors = useDragging();
  useHotkeys([["mod+Z", undoLatest]]);
  const move = (deal: Deal, stage: string, control: Control | undefined) => {
    if (deal.stage === stage) return;
    if (asksForReason(dealType(), stage)) setLosing({ deal, stage, control });
    else moves.move(deal, { stage }, control);
  };
  const drop = ({ active, over, activatorEvent }: DragEndEvent) => {
    setDragged(undefined);
    const deal = dealOf(active);
    if (deal === undefined || over === null) return;
    move(deal, String(over.id), activatorEvent instanceof KeyboardEvent ? "handle" : undefined);
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
      <div className={classes["board"]} role="group" aria-label={t.board.columns}>
        {stages.map((stage) => (
          <Column
            key={stage}
            stage={stage}
            filter={filter}
            totals={totals === null ? null : totals?.get(stage)}
            within={moves.within}
            onMove={mayMove ? move : undefined}
            isDraggable={isDraggable}
          />
        ))}
      </div>
      <DragOverlay dropAnimation={null}>
        {dragged !== undefined && (
          <div className={`${classes["card"]} ${classes["lifted"]}`}>
            <Text size="sm" fw={600} lineClamp={3} className={classes["name"]}>
              {dragged.name}
            </Text>
            <CardText deal={dragged} />
          </div>
        )}
      </DragOverlay>
      {losing !== undefined && (
        <LostReasonDialog
          name={losing.deal.name}
          onClose={() => setLosing(undefined)}
          onReason={(lost_reason) => {
            const { deal, stage, control } = losing;
            setLosing(undefined);
            moves.move(deal, { stage, ...(lost_reason !== null && { lost_reason }) }, control);
          }}
          returnFocus={() => focusCard(losing.deal._id, losing.control ?? "menu")}
        />
      )}
    </DndContext>
  );
}
