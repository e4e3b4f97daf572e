/** A chart of won deals by close date. */

import { useQuery } from "@tanstack/react-query";
import { type Summary, summaryQuery, useSession } from "../api/index.ts";
import { t } from "../text/index.ts";
import { BarChart, ChartFigure, evenLabels } from "../ui/charts/index.ts";
import { money, number, shortMoney } from "../ui/format/index.ts";
import { periodLabel } from "./period-label.ts";
import { startOf, type Periods } from "./range.ts";
import { dealsPath, worth } from "../board/index.ts";

function wonIn({ groups }: Summary, { starts, interval }: Periods) {
  return starts.map((start) => {
    const group = groups.find(({ period }) => period === start);
    return {
      period: periodLabel(start, interval),
      count: group?.count ?? 0,
      value: group?.sum ?? 0,
    };
  });
}

const sumOf = (rows: ReturnType<typeof wonIn>, of: "count" | "value"): number =>
  rows.reduce((sum, row) => sum + row[of], 0);

export function Won({ periods }: { readonly periods: Periods }) {
  const { currency, timezone } = useSession().tenant;
  const query = useQuery({
    ...summaryQuery(dealsPath(), {
      on: "close_date",
      interval: periods.interval,
      sum: "value_of_sale",
      match_filter_dict: { stage: "closed_won" },
      start_date: startOf(periods, timezone),
      limit: 1000,
    }),
    select: (data) => wonIn(data, periods),
  });
  return (
    <ChartFigure
      title={t.home.won}
      query={query}
      isEmpty={(rows) => rows.every(({ count }) => count === 0)}
      empty={t.home.wonNone}
      summary={(rows) =>
        worth({ count: sumOf(rows, "count"), value: sumOf(rows, "value") }, currency)
      }
      chart={(rows) => (
        <BarChart
          h={260}
          dataKey="period"
          data={rows}
          series={[{ name: "value", label: t.home.value, color: "harbour.6" }]}
          valueFormatter={(value) => money(value, currency)}
          xAxisProps={evenLabels(rows.length)}
          yAxisProps={{ tickFormatter: (value: number) => shortMoney(value, currency) }}
        />
      )}
      table={(won) => ({
        columns: [t.home.period, t.home.deals, t.home.value],
        rows: won.map(({ period, count, value }) => [
          period,
          number(count),
          money(value, currency),
        ]),
      })}
      list="/deals"
    />
  );
}
