/** A deal on the board: what it is, whose, worth what, until when; and its ways to another stage. */

import { useDraggable } from "@dnd-kit/core";
import { ActionIcon, Group, Menu, Text } from "@mantine/core";
import { IconClockExclamation, IconDotsVertical, IconGripVertical } from "@tabler/icons-react";
import type { KeyboardEventHandler, SyntheticEvent } from "react";
import { useSession } from "../api/index.ts";
import { pageOf } from "../records/record/index.ts";
import { t } from "../text/index.ts";
import { date, money, words } from "../ui/format/index.ts";
import classes from "./board.module.css";
import { dealType, isClosed, STAGES, type Deal } from "./deals.ts";
import { focusWhenMoved, useFocusWhenMoved } from "./focus-card.ts";
import { TextLink } from "../ui/states/index.ts";

export interface CardProps {
  readonly deal: Deal;
  /** Undefined where it may not be moved. */
  readonly onMove: ((stage: string) => void) | undefined;
  /** Whether it can be dragged: where other columns are in sight. */
  readonly isDraggable: boolean;
}

export function Card({ deal, onMove, isDraggable }: CardProps) {
  const disabled = onMove === undefined || !isDraggable;
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, isDragging } = useDraggable({
    id: deal._id,
    data: { deal },
    disabled,
    attributes: { roleDescription: t.board.draggable },
  });
  useFocusWhenMoved(deal._id);
  const { onKeyDown, ...pointers } = listeners ?? {};
  return (
    <li
      ref={setNodeRef}
      className={classes["card"]}
      data-movable={disabled ? undefined : true}
      data-dragged={isDragging || undefined}
      {...pointers}
    >
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap={4}>
        <TextLink
          to={pageOf(dealType, deal._id)}
          draggable={false}
          size="sm"
          fw={600}
          className={classes["name"]}
        >
          {deal.name}
        </TextLink>
        {onMove !== undefined && (
          <Group gap={0} wrap="nowrap">
            {isDraggable && (
              <ActionIcon
                ref={setActivatorNodeRef}
                data-handle={deal._id}
                size={24}
                variant="subtle"
                color="gray"
                {...attributes}
                onKeyDown={onKeyDown as KeyboardEventHandler | undefined}
                aria-label={t.board.move(deal.name)}
              >
                <IconGripVertical size={15} aria-hidden />
              </ActionIcon>
            )}
            <StageMenu deal={deal} onMove={onMove} />
          </Group>
        )}
      </Group>
      <CardText deal={deal} />
    </li>
  );
}

/** What a card says below its name. */
export function CardText({ deal }: { readonly deal: Deal }) {
  const { tenant } = useSession();
  const { account_name, contact_name, value_of_sale, user_name } = deal;
  const whose = [account_name, contact_name].filter((name) => name !== null).join(" · ");
  return (
    <>
      {whose !== "" && (
        <Text size="xs" c="dimmed" className={classes["name"]}>
          {whose}
        </Text>
      )}
      <Group justify="space-between" gap="xs" mt={4} wrap="nowrap">
        <Text size="sm" fw={500}>
          {value_of_sale === null ? t.common.none : money(value_of_sale, tenant.currency)}
        </Text>
        {user_name !== null && (
          <Text size="xs" c="dimmed" truncate title={t.board.owner(user_name)}>
            {user_name}
          </Text>
        )}
      </Group>
      <Closing deal={deal} />
    </>
  );
}

/** When the deal is expected to close; marked, not by colour alone, when that is past. */
function Closing({ deal: { expected_close_date: at, stage } }: { readonly deal: Deal }) {
  if (at === null) return null;
  const isLate = !isClosed(stage) && at * 1000 < Date.now();
  if (!isLate) {
    return (
      <Text size="xs" c="dimmed">
        {t.board.closes(date(at))}
      </Text>
    );
  }
  return (
    <Group gap={4} wrap="nowrap" c="var(--mantine-color-error)">
      <IconClockExclamation size={14} aria-hidden />
      <Text size="xs">{t.board.late(date(at))}</Text>
    </Group>
  );
}

interface StageMenuProps {
  readonly deal: Deal;
  readonly onMove: (stage: string) => void;
}

const stop = (event: SyntheticEvent) => event.stopPropagation();

const StageMenu = ({ deal, onMove }: StageMenuProps) => (
  // A press here opens the menu and picks no card up.
  <div onMouseDown={stop} onTouchStart={stop} onKeyDown={stop} role="presentation">
    <Menu position="bottom-end" withinPortal={false} floatingStrategy="fixed" zIndex={400}>
      <Menu.Target>
        <ActionIcon
          data-menu={deal._id}
          size={24}
          variant="subtle"
          color="gray"
          aria-label={t.board.moveTo(deal.name)}
        >
          <IconDotsVertical size={15} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {STAGES.filter((stage) => stage !== deal.stage).map((stage) => (
          <Menu.Item
            key={stage}
            onClick={() => {
              focusWhenMoved(deal._id, "menu");
              onMove(stage);
            }}
          >
            {t.board.moveToStage(words(stage))}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  </div>
);
