/** A bar chart. The chart library (100 kB) is loaded after the page is shown. */

import "@mantine/core/styles/ColorSwatch.layer.css";
import "@mantine/charts/styles.layer.css";
import type { BarChartProps } from "@mantine/charts";
import { Box } from "@mantine/core";
import { lazy, Suspense } from "react";

const Drawn = lazy(async () => {
  const { BarChart } = await import("@mantine/charts");
  return { default: BarChart };
});

/** The number of labels that fit below a chart on a phone. */
const LABELS_MAX = 4;

/** Returns axis props that place labels at equal distances along `count` periods. */
export const evenLabels = (count: number) => ({ interval: Math.ceil(count / LABELS_MAX) - 1 });

/** Axis props for amounts: each grid line has a label. */
export const EVERY_LINE = { interval: 0, tickCount: 4 } as const;

/**
 * The margin around a chart. Half of the last label on each axis extends past the end of the axis.
 */
const ROOM = { margin: { top: 12, right: 28, bottom: 5, left: 5 } };

export const BarChart = (props: BarChartProps) => (
  <Suspense fallback={<Box h={props.h} />}>
    <Drawn barChartProps={ROOM} {...props} />
  </Suspense>
);
