/** Bars, whose drawing (100 kB) comes when the page stands already. */

import "@mantine/core/styles/ColorSwatch.layer.css";
import "@mantine/charts/styles.layer.css";
import type { BarChartProps } from "@mantine/charts";
import { Box } from "@mantine/core";
import { lazy, Suspense } from "react";

const Drawn = lazy(async () => {
  const { BarChart } = await import("@mantine/charts");
  return { default: BarChart };
});

export const BarChart = (props: BarChartProps) => (
  <Suspense fallback={<Box h={props.h} />}>
    <Drawn {...props} />
  </Suspense>
);
