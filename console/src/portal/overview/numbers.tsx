/** The partner's all-time counts and earnings. */

import { Card, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { portalTexts } from "../../text/portal.ts";
import { Failure } from "../../ui/states/index.ts";
import { money, number } from "../../ui/format/index.ts";
import { Stat, Stats } from "../../ui/lists/index.ts";
import { analyticsQuery } from "../analytics/index.ts";

const { overview } = portalTexts;

export function Numbers() {
  const { data, error, refetch } = useQuery(analyticsQuery({}));
  if (error !== null && data === undefined) {
    return <Failure error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) {
    return (
      <Card withBorder padding={0}>
        <Skeleton h={86} />
      </Card>
    );
  }
  return (
    <Stats label={overview.numbers}>
      <Stat label={overview.total} value={number(data.total_pushed)} />
      <Stat label={overview.pending} value={number(data.pending_review)} />
      <Stat label={overview.accepted} value={number(data.accepted)} />
      <Stat label={overview.imported} value={number(data.imported)} />
      <Stat label={overview.earnings} value={money(data.estimated_earnings, data.currency)} />
    </Stats>
  );
}
