/** A deal card: name, account, value, owner, expected close date, and controls to move the deal. */

import { useDraggable } from "@dnd-kit/core";
import { ActionIcon, Group, Menu, Text } from "@mantine/core";
import { IconClockExclamation, IconDotsVertical, IconGripVertical } from "@tabler/icons-react";
import type { KeyboardEventHandler, SyntheticEvent } from "react";
import { useSession } from "../api/index.ts";
import { isApplicable, pageOf } from "../record/index.ts";
import { t } from "../text/index.ts";
import { date, money, words } from "../ui/format/index.ts";
import { isOver } from "../ui/days/index.ts";
import classes from "./board.module.css";
import { dealType, isClosed, stages, type Deal } from "./deals.ts";
import { type Control, useFocusWhenMoved } from "./focus-card.ts";
import { TextLink } from "../ui/states/index.ts";

export interface CardProps {
  readonly deal: Deal;
  /** Moves the deal. Undefined if the user cannot move deals. */
  readonly onMove: ((stage: string, control: Control) => void) | undefined;
  /** Whether the card can be dragged, which requires that other columns are visible. */
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
          to={pageOf(dealType(), deal._id)}
          draggable={false}
          size="sm"
          fw={600}
          lineClamp={3}
          title={deal.name}
          className={classes["name"]}
        >
          {deal.name}
        </TextLink>
        {onMove !== undefined && (
          <Group gap={0} wrap="nowrap" flex="none">
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
            <StageMenu deal={deal} onMove={(stage) => onMove(stage, "menu")} />
          </Group>
        )}
      </Group>
      <CardText deal={deal} />
    </li>
  );
}

/** The details below a card's name. */
export function CardText({ deal }: { readonly deal: Deal }) {
  const { tenant } = useSession();
  const { account_name, contact_name, value_of_sale, user_name, lost_reason } = deal;
  const whose = [account_name, contact_name].filter((name) => name !== null).join(" · ");
  return (
    <>
      {whose !== "" && (
        <Text size="xs" c="dimmed" lineClamp={2} title={whose} className={classes["name"]}>
          {whose}
        </Text>
      )}
      <Group justify="space-between" gap="0 var(--mantine-spacing-xs)" mt={4}>
        <Text size="sm" fw={500} className={classes["name"]}>
          {value_of_sale === null ? t.common.none : money(value_of_sale, tenant.currency)}
        </Text>
        {user_name !== null && (
          <Text size="xs" c="dimmed" truncate title={t.board.owner(user_name)}>
            {user_name}
          </Text>
        )}
      </Group>
      <Closing deal={deal} />
      {lost_reason !== null && isApplicable(dealType(), "lost_reason", deal) && (
        <Text size="xs" c="dimmed" lineClamp={2} title={lost_reason} className={classes["name"]}>
          {t.board.lostReason(lost_reason)}
        </Text>
      )}
    </>
  );
}

/** When a deal closed or is expected to close. An overdue date is marked with text and not only with color. */
function Closing({ deal }: { readonly deal: Deal }) {
  const { stage, close_date, expected_close_date } = deal;
  const at = isClosed(stage) ? close_date : expected_close_date;
  if (at === null) return null;
  if (isClosed(stage) || !isOver(at)) {
    return (
      <Text size="xs" c="dimmed">
        {isClosed(stage) ? t.board.closed(date(at)) : t.board.closes(date(at))}
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
  // A press here must open the menu, not pick up the card.
  <div onMouseDown={stop} onTouchStart={stop} role="presentation">
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
        {stages()
          .filter((stage) => stage !== deal.stage)
          .map((stage) => (
            <Menu.Item key={stage} onClick={() => onMove(stage)}>
              {t.board.moveToStage(words(stage))}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  </div>
);
