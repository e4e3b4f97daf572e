/** The list on narrow screens: a virtualized list of cards. */

import { Failure } from "../../ui/states/index.ts";
import { typeLabel } from "../../record/index.ts";
import { Card } from "./card.tsx";
import css from "./cards.module.css";
import type { GridProps } from "./grid.tsx";
import { useReferenceNames } from "../list/index.ts";
import { scrollerId, useVirtualRows } from "./use-virtual-rows.ts";

export const CARD_HEIGHT = 104;

export function Cards({ type, query, columns, selection, canWrite }: GridProps) {
  const rows = useVirtualRows({ type, query, height: CARD_HEIGHT, head: 0 });
  const { scroller, virtualizer, drawn, rowAt, total } = rows;
  useReferenceNames(type, columns.shown, rows.pages);
  const failure = <Failure error={rows.error} onRetry={rows.retry} />;
  if (rows.error !== undefined && rowAt(0) === undefined) return failure;
  return (
    <>
      <div
        ref={scroller}
        className={css["frame"]}
        data-scroll-restoration-id={scrollerId(type)}
        aria-busy={rows.isFirst}
      >
        <ul
          className={css["list"]}
          aria-label={typeLabel(type).many}
          style={{ height: drawn * CARD_HEIGHT }}
        >
          {virtualizer.getVirtualItems().map(({ index }) => {
            const record = rowAt(index);
            return (
              <Card
                key={index}
                type={type}
                index={index}
                count={total ?? -1}
                top={index * CARD_HEIGHT}
                record={record}
                columns={columns.shown}
                isSelected={record !== undefined && selection.selected.has(record._id)}
                onSelect={canWrite ? selection.toggle : undefined}
              />
            );
          })}
        </ul>
      </div>
      {failure}
    </>
  );
}
