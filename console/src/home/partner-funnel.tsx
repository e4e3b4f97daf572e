/** A chart of partner leads by status, with acceptance rate and commission. */

import type { Analytics } from "@leadport/client";
import { useQuery } from "@tanstack/react-query";
import { api, useSession } from "../api/index.ts";
import { t } from "../text/index.ts";
import { BarChart, ChartFigure } from "../ui/charts/index.ts";
import { money, number, percent } from "../ui/format/index.ts";
import { startOf, type Periods } from "./range.ts";

const rowsOf = (data: Analytics) => [
  { state: t.home.states.pending, count: data.pending_review },
  { state: t.home.states.accepted, count: data.accepted },
  { state: t.home.states.imported, count: data.imported },
  { state: t.home.states.rejected, count: data.rejected },
  { state: t.home.states.expired, count: data.expired },
];

function summaryOf({
  accepted,
  imported,
  rejected,
  currency,
  estimated_earnings,
}: Analytics): string {
  const taken = accepted + imported;
  const decided = taken + rejected;
  const share = decided === 0 ? t.common.none : percent(taken / decided);
  const earned = money(estimated_earnings, currency);
  return `${t.home.acceptance}: ${share} · ${t.home.commission}: ${earned}`;
}

export function PartnerFunnel({ periods }: { readonly periods: Periods }) {
  const { timezone } = useSession().tenant;
  const start_date = startOf(periods, timezone);
  const query = useQuery({
    queryKey: ["list", "analytics", start_date],
    queryFn: async ({ signal }) =>
      api.get("/crm/admin/analytics", { query: { start_date }, signal }),
  });
  return (
    <ChartFigure
      title={t.home.partners}
      query={query}
      isEmpty={({ total_pushed }) => total_pushed === 0}
      empty={t.home.partnersNone}
      summary={summaryOf}
      chart={(data) => (
        <BarChart
          h={260}
          orientation="vertical"
          dataKey="state"
          data={rowsOf(data)}
          series={[{ name: "count", label: t.home.leads, color: "indigo.6" }]}
          valueFormatter={number}
          xAxisProps={{ allowDecimals: false }}
          yAxisProps={{ width: 90 }}
          gridAxis="y"
        />
      )}
      table={(data) => ({
        columns: [t.home.state, t.home.leads],
        rows: rowsOf(data).map(({ state, count }) => [state, number(count)]),
      })}
      list="/partners"
    />
  );
}
