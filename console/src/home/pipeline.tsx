/** A chart of the total value of open deals by stage. */

import { useQuery } from "@tanstack/react-query";
import { type Summary, summaryQuery, useSession } from "../api/index.ts";
import { t } from "../text/index.ts";
import { BarChart, ChartFigure, EVERY_LINE } from "../ui/charts/index.ts";
import { money, number, words, shortMoney } from "../ui/format/index.ts";
import { dealsPath, isClosed, stages, worth } from "../board/index.ts";

const openStages = () => stages().filter((stage) => !isClosed(stage));

const stagesOf = ({ groups }: Summary) =>
  openStages().map((stage) => {
    const group = groups.find(({ value }) => value === stage);
    return { stage: words(stage), count: group?.count ?? 0, value: group?.sum ?? 0 };
  });

export function Pipeline() {
  const { currency } = useSession().tenant;
  const query = useQuery(
    summaryQuery(dealsPath(), {
      group_by: "stage",
      sum: "value_of_sale",
      match_filter_dict: { stage: { $in: openStages() } },
    }),
  );
  return (
    <ChartFigure
      title={t.home.pipeline}
      query={query}
      isEmpty={({ total }) => total.count === 0}
      empty={t.home.pipelineNone}
      summary={({ total }) => worth({ count: total.count, value: total.sum ?? 0 }, currency)}
      chart={(data) => (
        <BarChart
          h={260}
          orientation="vertical"
          dataKey="stage"
          data={stagesOf(data)}
          series={[{ name: "value", label: t.home.value, color: "harbour.6" }]}
          valueFormatter={(value) => money(value, currency)}
          xAxisProps={{
            ...EVERY_LINE,
            tickFormatter: (value: number) => shortMoney(value, currency),
          }}
          yAxisProps={{ width: 130 }}
          gridAxis="y"
        />
      )}
      table={(data) => ({
        columns: [t.home.stage, t.home.deals, t.home.value],
        rows: stagesOf(data).map(({ stage, count, value }) => [
          stage,
          number(count),
          money(value, currency),
        ]),
      })}
      list="/board"
    />
  );
}
