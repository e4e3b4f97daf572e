/** A notification with an undo button, shown after a deal is moved. For six seconds, Ctrl+Z also undoes the move. */

import { Button, Group, Kbd, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconArrowBackUp } from "@tabler/icons-react";
import { t } from "../text/index.ts";
import classes from "./board.module.css";

export interface Undoable {
  /** The ID of the moved deal. */
  readonly id: string;
  readonly title?: string | undefined;
  readonly message: string;
  readonly undo: () => void;
}

/**
 * How long a move can be undone. The timer pauses while the pointer or the focus is on the
 * notification.
 */
const UNDO_ms = 6000;

const KEY = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘ Z" : "Ctrl Z";

interface Offered {
  readonly notice: string;
  readonly undo: () => void;
}

/** Moves that can be undone, by deal ID, latest last. */
const offered = new Map<string, Offered>();

let notices = 0;

export function offerUndo({ id, title, message, undo }: Undoable): void {
  withdrawUndo(id);
  notices += 1;
  const notice = `undo ${notices}`;
  const holders = new Set<"focus" | "pointer">();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = (): void => {
    clearTimeout(timer);
    if (holders.size === 0) timer = setTimeout(() => notifications.hide(notice), UNDO_ms);
  };
  const hold = (by: "focus" | "pointer") => () => {
    holders.add(by);
    clearTimeout(timer);
  };
  const release = (by: "focus" | "pointer") => () => {
    holders.delete(by);
    run();
  };
  offered.set(id, { notice, undo });
  notifications.show({
    id: notice,
    color: "teal",
    title,
    message: <Message text={message} onUndo={() => undoMove(id, notice)} />,
    autoClose: false,
    onMouseEnter: hold("pointer"),
    onMouseLeave: release("pointer"),
    onFocusCapture: hold("focus"),
    onBlurCapture: release("focus"),
    onClose: () => {
      clearTimeout(timer);
      if (offered.get(id)?.notice === notice) offered.delete(id);
    },
  });
  run();
}

/** Undoes the latest move that can still be undone. */
export function undoLatest(): void {
  const [id, latest] = [...offered].at(-1) ?? [];
  if (id !== undefined && latest !== undefined) undoMove(id, latest.notice);
}

function undoMove(id: string, notice: string): void {
  const move = offered.get(id);
  // The button can be pressed again while the notification fades out.
  if (move?.notice !== notice) return;
  withdrawUndo(id);
  move.undo();
}

/** Removes the option to undo a deal's move, because the deal is being moved again. */
export function withdrawUndo(id: string): void {
  const move = offered.get(id);
  offered.delete(id);
  if (move !== undefined) notifications.hide(move.notice);
}

const Message = ({ text, onUndo }: { readonly text: string; readonly onUndo: () => void }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <Text size="sm" lineClamp={3} className={classes["name"]}>
      {text}
    </Text>
    <Button
      size="xs"
      variant="default"
      flex="none"
      leftSection={<IconArrowBackUp size={16} aria-hidden />}
      rightSection={
        <Kbd size="xs" aria-hidden visibleFrom="sm">
          {KEY}
        </Kbd>
      }
      aria-keyshortcuts="Control+Z Meta+Z"
      onClick={onUndo}
    >
      {t.board.undo}
    </Button>
  </Group>
);
