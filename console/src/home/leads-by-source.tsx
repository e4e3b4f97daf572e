/** A chart of new leads by source over time. */

import { useQuery } from "@tanstack/react-query";
import { summaryQuery, useSession } from "../api/index.ts";
import { t } from "../text/index.ts";
import { BarChart, ChartFigure, evenLabels } from "../ui/charts/index.ts";
import { number, words } from "../ui/format/index.ts";
import { periodLabel } from "./period-label.ts";
import { startOf, type Periods } from "./range.ts";
import { seriesOf } from "./source-series.ts";

export function LeadsBySource({ periods }: { readonly periods: Periods }) {
  const { timezone } = useSession().tenant;
  const query = useQuery({
    ...summaryQuery("/crm/leads", {
      group_by: "lead_source",
      interval: periods.interval,
      start_date: startOf(periods, timezone),
      limit: 1000,
    }),
    select: (summary) => seriesOf(summary, periods, t.home.other),
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
          series={series.map((one) => ({ ...one, label: words(one.name) }))}
          valueFormatter={number}
          xAxisProps={evenLabels(rows.length)}
          yAxisProps={{ allowDecimals: false }}
        />
      )}
      table={({ series, rows }) => ({
        columns: [t.home.period, ...series.map(({ name }) => words(name))],
        rows: rows.map(([period, counts]) => [
          label(period),
          ...series.map(({ name }) => number(counts[name] ?? 0)),
        ]),
      })}
      list="/leads"
    />
  );
}
