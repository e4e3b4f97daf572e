/** The rows of a list that are drawn: those in sight, a few around them, and the one with the focus. */

import { useElementScrollRestoration } from "@tanstack/react-router";
import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState, type RefObject } from "react";
import type { RecordType } from "../record/index.ts";
import { type ListQuery, type Range, type Rows, useRows } from "../list/index.ts";

/** Browsers draw nothing below some 17 million pixels. */
const HEIGHT_MAX = 16_000_000;
const WAITING_ROWS = 12;
const OVERSCAN = 8;
/** Of how many rows the range that is read moves at once. */
const STEP = 20;

export interface VirtualRows extends Rows {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly virtualizer: Virtualizer<HTMLDivElement, Element>;
  /** How many are drawn at most; fewer than there are where a browser could not show them. */
  readonly drawn: number;
  readonly active: number;
  readonly setActive: (index: number) => void;
}

export interface VirtualRowsOptions {
  readonly type: RecordType;
  readonly query: ListQuery;
  readonly height: number;
  /** What stands above the rows and stays there. */
  readonly head: number;
}

/** How many rows of a height can be shown. */
export const rowsMax = (height: number): number => Math.floor(HEIGHT_MAX / height);

export function useVirtualRows({ type, query, height, head }: VirtualRowsOptions): VirtualRows {
  const scroller = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState<Range>({ first: 0, last: STEP });
  const [active, setActive] = useState(0);
  const rows = useRows(type, query, range);
  const isWaiting = rows.isFirst && rows.total === undefined;
  const drawn = isWaiting ? WAITING_ROWS : Math.min(rows.count, rowsMax(height));
  const left = useElementScrollRestoration({ id: scrollerId(type) });
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: drawn,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: OVERSCAN,
    scrollMargin: head,
    scrollPaddingStart: head,
    initialOffset: left?.scrollY ?? 0,
    rangeExtractor: (seen) => {
      const indexes = defaultRangeExtractor(seen);
      const isDrawn = active >= drawn || indexes.includes(active);
      return isDrawn ? indexes : [...indexes, active].toSorted((a, b) => a - b);
    },
    onChange: ({ range: seen }) => {
      if (seen === null) return;
      const first = Math.floor(seen.startIndex / STEP) * STEP;
      const last = Math.ceil((seen.endIndex + 1) / STEP) * STEP;
      setRange((now) => (now.first === first && now.last === last ? now : { first, last }));
    },
  });
  useBeginning(query, () => {
    setActive(0);
    virtualizer.scrollToOffset(0);
  });
  return { ...rows, scroller, virtualizer, drawn, active, setActive };
}

/** Under which name the router keeps the place that was looked at. */
export const scrollerId = (type: RecordType): string => `rows-${type.table}`;

/** Another list begins at its beginning. */
function useBeginning(query: ListQuery, begin: () => void): void {
  const key = JSON.stringify(query);
  const shown = useRef(key);
  useEffect(() => {
    if (shown.current === key) return;
    shown.current = key;
    begin();
  });
}
