/** One lead in the queue, on three short lines. */

import { Checkbox, Text } from "@mantine/core";
import { IconCopyCheck } from "@tabler/icons-react";
import { memo, useEffect, useRef, type MouseEvent } from "react";
import { t } from "../../text/index.ts";
import { StatusBadge, Time } from "../../ui/lists/index.ts";
import { Expiry, type PushedLead } from "../pushed-leads/index.ts";
import classes from "../pushed-leads/review.module.css";
import { words } from "../../ui/format/index.ts";
import { EmailNote } from "../../ui/notes/index.ts";

export interface RowDeeds {
  readonly open: (id: string) => void;
  readonly toggle: (id: string) => void;
  readonly extendTo: (id: string) => void;
}

export interface QueueRowProps extends RowDeeds {
  readonly lead: PushedLead;
  readonly start: number;
  readonly height: number;
  readonly place: number;
  readonly count: number;
  readonly isCurrent: boolean;
  readonly isTabStop: boolean;
  readonly isSelected: boolean;
  /** Whether the row takes the focus when a key makes it the current row. */
  readonly takesFocus: boolean;
}

export const QueueRow = memo(function QueueRow(props: QueueRowProps) {
  const { lead, start, height, place, count, isCurrent, isTabStop, isSelected } = props;
  const { takesFocus, open, toggle, extendTo } = props;
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (takesFocus) link.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  const follow = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    if (event.shiftKey) extendTo(lead.id);
    else open(lead.id);
  };
  return (
    <li
      className={classes["row"]}
      style={{ height, transform: `translateY(${start}px)` }}
      data-current={isCurrent || undefined}
      aria-setsize={count}
      aria-posinset={place}
    >
      <span className={classes["box"]}>
        <Checkbox
          checked={isSelected}
          onChange={() => toggle(lead.id)}
          aria-label={t.review.select(lead.name)}
          tabIndex={isTabStop ? 0 : -1}
        />
      </span>
      <a
        ref={link}
        href={`/review/${lead.id}${location.search}`}
        className={classes["link"]}
        aria-current={isCurrent ? "true" : undefined}
        tabIndex={isTabStop ? 0 : -1}
        onClick={follow}
      >
        <span className={classes["line"]}>
          <Text component="span" fw={600} className={classes["cut"]}>
            {lead.name}
          </Text>
          <StatusBadge value={lead.status} label={t.review.statuses[lead.status]} />
        </span>
        <span className={classes["line"]}>
          <Text component="span" size="sm" c="dimmed" className={classes["cut"]}>
            {lead.partner_name} · {words(lead.source)}
          </Text>
          <Text component="span" size="xs" c="dimmed" className={classes["cut"]}>
            <Time at={lead.submitted_ts} />
          </Text>
        </span>
        <span className={classes["line"]}>
          {lead.possible_duplicate ? (
            <Text component="span" size="xs" className={classes["soon"]}>
              <IconCopyCheck size={14} aria-hidden className={classes["inlineIcon"]} />{" "}
              {t.review.isDuplicate}
            </Text>
          ) : (
            <Text component="span" size="xs" c="dimmed" className={classes["cut"]}>
              {lead.email ?? lead.phone}
            </Text>
          )}
          <EmailNote email={lead.email} />
          {lead.expiration_date !== null && lead.status === "pending" && (
            <Expiry at={lead.expiration_date} />
          )}
        </span>
      </a>
    </li>
  );
});
