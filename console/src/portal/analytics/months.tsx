/** Submitted leads and earnings by month, for the most recent months. */

import { SimpleGrid, Text, Title } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { portalTexts } from "../../text/portal.ts";
import { Failure, Loading } from "../../ui/states/index.ts";
import { money, month, number } from "../../ui/format/index.ts";
import { usePartner } from "../partner/index.ts";
import { analyticsQuery } from "./analytics-query.ts";
import { Figure } from "./figure.tsx";
import { lastMonths } from "./ranges.ts";

const MONTHS = 6;
const texts = portalTexts.analytics;

export function Months() {
  const { currency } = usePartner();
  const [months] = useState(() => lastMonths(MONTHS, new Date()));
  const answers = useQueries({ queries: months.map(({ span }) => analyticsQuery(span)) });
  const failed = answers.find(({ error }) => error !== null);
  const counted = months.map(({ first }, at) => ({
    label: month(first),
    counts: answers[at]?.data,
  }));
  const isWhole = counted.every(({ counts }) => counts !== undefined);
  return (
    <section>
      <Title order={2} mt="xl">
        {texts.months}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {texts.monthsHint}
      </Text>
      {failed !== undefined ? (
        <Failure
          error={failed.error}
          onRetry={() => answers.forEach(({ refetch }) => void refetch())}
        />
      ) : !isWhole ? (
        <Loading />
      ) : (
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
          <Figure
            title={texts.monthsPushes}
            columns={[texts.month, texts.count]}
            bars={counted.map(({ label, counts }) => ({
              label,
              value: counts?.total_pushed ?? 0,
            }))}
            format={number}
            isUpright
          />
          <Figure
            title={texts.monthsEarnings}
            columns={[texts.month, texts.earnings]}
            bars={counted.map(({ label, counts }) => ({
              label,
              value: counts?.estimated_earnings ?? 0,
            }))}
            format={(amount) => money(amount, currency)}
            isUpright
          />
        </SimpleGrid>
      )}
    </section>
  );
}
