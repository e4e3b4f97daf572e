/**
 * Configures how cards are dragged: with the mouse, by touch after a short press, or with arrow
 * keys from column to column.
 */

import {
  closestCenter,
  KeyboardSensor,
  MouseSensor,
  pointerWithin,
  TouchSensor,
  useSensor,
  useSensors,
  type Active,
  type Announcements,
  type CollisionDetection,
  type KeyboardCoordinateGetter,
} from "@dnd-kit/core";
import { t } from "../text/index.ts";
import { words } from "../ui/format/index.ts";
import { stages, type Deal } from "./deals.ts";

/** A mouse press is a click if the mouse moves less than this. */
const MOUSE = { activationConstraint: { distance: 6 } };
/** A touch shorter than this scrolls the column instead of dragging the card. */
const TOUCH = { activationConstraint: { delay: 220, tolerance: 8 } };

/** Arrow keys move the card to the next column. */
const toNextColumn: KeyboardCoordinateGetter = (event, { context }) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.code];
  if (step === undefined) return undefined;
  event.preventDefault();
  const deal = dealOf(context.active);
  const at = stages().indexOf(String(context.over?.id ?? deal?.stage));
  const rect = context.droppableRects.get(stages()[at + step] ?? "");
  return rect === undefined ? undefined : { x: rect.left, y: rect.top };
};

const KEYS = { coordinateGetter: toNextColumn };

export const useDragging = () =>
  useSensors(
    useSensor(MouseSensor, MOUSE),
    useSensor(TouchSensor, TOUCH),
    useSensor(KeyboardSensor, KEYS),
  );

/** Finds the column under the pointer or, with the keyboard, the nearest column. */
export const columnUnder: CollisionDetection = (args) =>
  args.pointerCoordinates === null ? closestCenter(args) : pointerWithin(args);

/** Returns the deal on the card that is being dragged. */
export const dealOf = (active: Active | null): Deal | undefined =>
  active?.data.current?.["deal"] as Deal | undefined;

const nameOf = (active: Active): string => dealOf(active)?.name ?? "";
const stageOf = (active: Active): string => dealOf(active)?.stage ?? "";

const isOver = (active: Active, stage: string): string =>
  stage === stageOf(active)
    ? t.board.pickedUp(nameOf(active), words(stage))
    : t.board.isOver(nameOf(active), words(stage));

/** Screen reader announcements while a card is dragged. */
export const announcements: Announcements = {
  onDragStart: ({ active }) => isOver(active, stageOf(active)),
  onDragOver: ({ active, over }) =>
    over === null ? t.board.isOverNothing(nameOf(active)) : isOver(active, String(over.id)),
  onDragEnd: ({ active, over }) =>
    over === null || over.id === stageOf(active)
      ? t.board.leftWhereItWas(nameOf(active), words(stageOf(active)))
      : t.board.putDown(nameOf(active), words(String(over.id))),
  onDragCancel: ({ active }) => t.board.leftWhereItWas(nameOf(active), words(stageOf(active))),
};
