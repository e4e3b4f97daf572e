/** New leads over time, by where they came from. */

import { useQuery } from "@tanstack/react-query";
import { summaryQuery, type Summary } from "../api/index.ts";
import { t } from "../text/index.ts";
import { BarChart, ChartFigure } from "../ui/charts/index.ts";
import { number } from "../ui/format/index.ts";
import { periodLabel } from "./period-label.ts";
import { startOf, type Periods } from "./range.ts";

/** As many sources have a colour of their own; the others are one. */
const SHOWN = 5;
const COLOURS = ["harbour.6", "indigo.6", "orange.6", "grape.6", "lime.7"];
const OTHER = "gray.6";

interface Series {
  readonly name: string;
  readonly color: string;
}

/** A number for each period and source, and the sources in the order of their size. */
function seriesOf({ groups }: Summary, { starts }: Periods) {
  const counted = new Map<string, number>();
  const known = groups.filter(({ period }) => period !== null && starts.includes(period));
  for (const { value, count } of known) {
    const name = value ?? t.home.other;
    counted.set(name, (counted.get(name) ?? 0) + count);
  }
  const largest = [...counted].toSorted((a, b) => b[1] - a[1]).map(([name]) => name);
  const own = new Set(largest.slice(0, SHOWN));
  const series: Series[] = [...own].map((name, at) => ({ name, color: COLOURS[at] ?? OTHER }));
  if (largest.length > SHOWN) series.push({ name: t.home.other, color: OTHER });
  const rows = new Map<string, Record<string, number>>(starts.map((period) => [period, {}]));
  for (const { period, value, count } of known) {
    const row = rows.get(period as string);
    const name = value !== null && own.has(value) ? value : t.home.other;
    if (row !== undefined) row[name] = (row[name] ?? 0) + count;
  }
  const total = known.reduce((sum, { count }) => sum + count, 0);
  return { series, rows: [...rows], total };
}

export function LeadsBySource({ periods }: { readonly periods: Periods }) {
  const query = useQuery({
    ...summaryQuery("/crm/leads", {
      group_by: "lead_source",
      interval: periods.interval,
      start_date: startOf(periods),
      limit: 1000,
    }),
    select: (told) => seriesOf(told, periods),
  });
  const label = (period: string) => periodLabel(period, periods.interval);
  return (
    <ChartFigure
      title={t.home.leadsBySource}
      query={query}
      isEmpty={({ total }) => total === 0}
      empty={t.home.leadsBySourceNone}
      summary={({ total }) => `${t.home.total}: ${number(total)}`}
      chart={({ series, rows }) => (
        <BarChart
          h={260}
          type="stacked"
          withLegend
          dataKey="period"
          data={rows.map(([period, counts]) => ({ period: label(period), ...counts }))}
          series={series}
          valueFormatter={number}
          yAxisProps={{ allowDecimals: false }}
        />
      )}
      table={({ series, rows }) => ({
        columns: [t.home.period, ...series.map(({ name }) => name)],
        rows: rows.map(([period, counts]) => [
          label(period),
          ...series.map(({ name }) => number(counts[name] ?? 0)),
        ]),
      })}
      list="/leads"
    />
  );
}
