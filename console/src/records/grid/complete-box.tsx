/** A checkbox in a list that completes or reopens a task. */

import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { ask, sentenceOf, useSending } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { writePath, type RecordType, type Stored } from "../../record/index.ts";
import css from "./grid.module.css";
import { replaceRow } from "../list/index.ts";
import { cacheRecord } from "../../requests/index.ts";

export interface CompleteBoxProps {
  readonly type: RecordType;
  readonly record: Stored;
  readonly tabIndex: number;
}

/** The status that a reopened task gets. */
const REOPENED = "assigned";

export function CompleteBox({ type, record, tabIndex }: CompleteBoxProps) {
  const queries = useQueryClient();
  const isCompleted = record["is_completed"] === true;
  const sending = useSending(
    async () => {
      const body = { status: isCompleted ? REOPENED : "completed" };
      try {
        return (await ask<Stored>("patch", writePath(type, record._id), { body })).data;
      } catch (error) {
        notifications.show({ color: "red", title: record.name, message: sentenceOf(error) });
        throw error;
      }
    },
    (changed) => {
      cacheRecord(queries, type, changed);
      replaceRow(queries, type, changed);
      // The row stays in place, even if it no longer matches the filter. Other lists reload when they are shown next.
      void queries.invalidateQueries({ queryKey: ["list"], refetchType: "none" });
      const message = isCompleted ? t.table.reopened : t.table.completed;
      notifications.show({ title: changed.name, message });
    },
  );
  return (
    <input
      type="checkbox"
      className={css["complete"]}
      aria-label={t.table.complete(record.name)}
      checked={isCompleted}
      disabled={sending.isSending}
      tabIndex={tabIndex}
      onChange={() => sending.send(undefined)}
    />
  );
}
