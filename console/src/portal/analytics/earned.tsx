/** Counts, rates and earnings in the selected period. */

import type { Analytics } from "@leadport/client";
import { SimpleGrid, Stack } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { portalTexts } from "../../text/portal.ts";
import { QueryState, Empty } from "../../ui/states/index.ts";
import { money, number, orNone, percent, rate } from "../../ui/format/index.ts";
import { Stat, Stats } from "../../ui/lists/index.ts";
import type { AnalyticsSearch } from "../partner/index.ts";
import { analyticsQuery } from "./analytics-query.ts";
import { Figure, type Bar } from "./figure.tsx";
import { spanOfRange } from "./ranges.ts";

const texts = portalTexts.analytics;
const { statuses } = portalTexts;

const shareOf = (part: number, whole: number): string =>
  orNone(whole === 0 ? null : percent(part / whole));

const funnelOf = (counts: Analytics): readonly Bar[] => [
  { label: texts.funnelSteps.pushed, value: counts.total_pushed },
  { label: texts.funnelSteps.accepted, value: counts.accepted + counts.imported },
  { label: texts.funnelSteps.imported, value: counts.imported },
];

const statesOf = (counts: Analytics): readonly Bar[] => [
  { label: statuses.pending, value: counts.pending_review, color: "yellow.6" },
  { label: statuses.accepted, value: counts.accepted, color: "harbour.4" },
  { label: statuses.imported, value: counts.imported, color: "harbour.8" },
  { label: statuses.rejected, value: counts.rejected, color: "red.6" },
  { label: statuses.expired, value: counts.expired, color: "orange.6" },
];

export function Earned({ search }: { readonly search: AnalyticsSearch }) {
  // Keep the first value of `today`, so that the query does not change until another range is selected.
  const [today] = useState(() => new Date());
  const query = useQuery({
    ...analyticsQuery(spanOfRange(search, today)),
    placeholderData: keepPreviousData,
  });
  if (!query.isSuccess) return <QueryState query={query} />;
  const { data } = query;
  const { total_pushed: total, accepted, imported, rejected } = data;
  const commission = data.commission_rate ?? 0;
  return (
    <Stack gap="lg">
      <Stats label={texts.title}>
        <Stat
          label={texts.earnings}
          value={money(data.estimated_earnings, data.currency)}
          hint={texts.rate(rate(commission))}
        />
        <Stat label={texts.pushed} value={number(total)} />
        <Stat
          label={texts.acceptedShare}
          value={shareOf(accepted + imported, accepted + imported + rejected)}
          hint={texts.ofDecided(number(accepted + imported + rejected))}
        />
        <Stat
          label={texts.importedShare}
          value={shareOf(imported, total)}
          hint={texts.ofSubmitted(number(total))}
        />
      </Stats>
      {total === 0 ? (
        <Empty title={texts.none} hint={texts.noneHint} />
      ) : (
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
          <Figure
            title={texts.funnel}
            columns={[texts.step, texts.count, texts.share]}
            bars={funnelOf(data)}
            format={number}
            whole={total}
          />
          <Figure
            title={texts.states}
            columns={[texts.step, texts.count, texts.share]}
            bars={statesOf(data)}
            format={number}
            whole={total}
          />
        </SimpleGrid>
      )}
    </Stack>
  );
}
