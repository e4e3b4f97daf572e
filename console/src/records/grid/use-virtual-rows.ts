/**
 * Determines which rows of a list are rendered: visible rows, some before and after them, and the
 * focused row.
 */

import { useElementScrollRestoration } from "@tanstack/react-router";
import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState, type RefObject } from "react";
import type { RecordType } from "../../record/index.ts";
import { type ListQuery, type Range, type Rows, useRows } from "../list/index.ts";

/** The maximum height in pixels. Browsers render nothing beyond about 17 million. */
const HEIGHT_MAX = 16_000_000;
const WAITING_ROWS = 12;
const OVERSCAN = 8;
/** The range of rows to load moves in steps of this many rows. */
const STEP = 20;

export interface VirtualRows extends Rows {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly virtualizer: Virtualizer<HTMLDivElement, Element>;
  /**
   * The number of rows that can be shown. It is less than the total if browsers cannot render that
   * many.
   */
  readonly drawn: number;
  readonly active: number;
  readonly setActive: (index: number) => void;
}

export interface VirtualRowsOptions {
  readonly type: RecordType;
  readonly query: ListQuery;
  readonly height: number;
  /** The height of the sticky header above the rows, in pixels. */
  readonly head: number;
}

/** Returns the maximum number of rows of this height that can be shown. */
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

/** Returns the key under which the router stores the scroll position. */
export const scrollerId = (type: RecordType): string => `rows-${type.plural}`;

/** Scrolls to the beginning when the query changes. */
function useBeginning(query: ListQuery, begin: () => void): void {
  const key = JSON.stringify(query);
  const shown = useRef(key);
  useEffect(() => {
    if (shown.current === key) return;
    shown.current = key;
    begin();
  });
}
