/** Charts. */

export { BarChart } from "./bar-chart.tsx";
export { ChartFigure } from "./chart-figure.tsx";
