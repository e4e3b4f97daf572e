/** What was won in each period, by the day on which the deals were closed. */

import { useSession } from "../api/session.ts";
import { useSummary, type Summary } from "../api/summaries.ts";
import { t } from "../text/index.ts";
import { BarChart } from "../ui/bar-chart.tsx";
import { ChartFigure } from "../ui/chart-figure.tsx";
import { money, number } from "../ui/format.ts";
import { periodLabel } from "./period-label.ts";
import { startOf, type Periods } from "./range.ts";

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

const sumOf = (rows: readonly { readonly value: number }[]): number =>
  rows.reduce((sum, { value }) => sum + value, 0);

export function Won({ periods }: { readonly periods: Periods }) {
  const { currency } = useSession().tenant;
  const query = useSummary("/crm/deals", {
    on: "close_date",
    interval: periods.interval,
    sum: "value_of_sale",
    match_filter_dict: { stage: "closed_won" },
    start_date: startOf(periods),
    limit: 1000,
  });
  return (
    <ChartFigure
      title={t.home.won}
      query={query}
      isEmpty={(data) => wonIn(data, periods).every(({ count }) => count === 0)}
      empty={t.home.wonNone}
      summary={(data) => `${t.home.total}: ${money(sumOf(wonIn(data, periods)), currency)}`}
      chart={(data) => (
        <BarChart
          h={260}
          dataKey="period"
          data={wonIn(data, periods)}
          series={[{ name: "value", label: t.home.value, color: "harbour.6" }]}
          valueFormatter={(value) => money(value, currency)}
          yAxisProps={{ width: 80 }}
        />
      )}
      table={(data) => ({
        columns: [t.home.period, t.home.deals, t.home.value],
        rows: wonIn(data, periods).map(({ period, count, value }) => [
          period,
          number(count),
          money(value, currency),
        ]),
      })}
      list="/deals"
    />
  );
}
