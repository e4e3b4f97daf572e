/** Chart components. */

export { BarChart, evenLabels, EVERY_LINE } from "./bar-chart.tsx";
export { ChartFigure } from "./chart-figure.tsx";
