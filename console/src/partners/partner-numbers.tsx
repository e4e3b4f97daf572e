/** What became of all that a partner pushed, and what it earned. */

import { Paper, SimpleGrid, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useSession } from "../api/index.ts";
import { t } from "../text/index.ts";
import { partnerTexts } from "../text/partners.ts";
import { Failure } from "../ui/states/index.ts";
import { money, number, percent } from "../ui/format/index.ts";
import { Section } from "../ui/frame/index.ts";
import { numbersQuery, type Analytics, type Partner } from "./partner.ts";

const COUNTS: readonly (readonly [label: string, of: (numbers: Analytics) => number])[] = [
  [partnerTexts.pushed, ({ total_pushed }) => total_pushed],
  [partnerTexts.pending, ({ pending_review }) => pending_review],
  [partnerTexts.accepted, ({ accepted }) => accepted],
  [partnerTexts.imported, ({ imported }) => imported],
  [partnerTexts.rejected, ({ rejected }) => rejected],
  [partnerTexts.expired, ({ expired }) => expired],
];

export function PartnerNumbers({ partner }: { readonly partner: Partner }) {
  const { tenant } = useSession();
  const { data, error, refetch } = useQuery(numbersQuery(partner.id));
  return (
    <Section
      title={partnerTexts.numbers}
      hint={partnerTexts.numbersHint(percent(partner.commission_rate / 100))}
    >
      <Failure error={error} onRetry={() => void refetch()} />
      <SimpleGrid cols={{ base: 2, xs: 3, lg: 7 }} spacing="sm">
        {COUNTS.map(([label, of]) => (
          <Figure key={label} label={label} value={data && number(of(data))} />
        ))}
        <Figure
          label={partnerTexts.earnings}
          value={data && money(data.estimated_earnings, tenant.currency)}
        />
      </SimpleGrid>
    </Section>
  );
}

interface FigureProps {
  readonly label: string;
  /** Undefined while it is on its way. */
  readonly value: string | undefined;
}

const Figure = ({ label, value }: FigureProps) => (
  <Paper bg="var(--mantine-color-default-hover)" p="sm">
    <Text size="xs" c="dimmed">
      {label}
    </Text>
    <Text fz="xl" fw={600} lh={1.3}>
      {value ?? t.common.none}
    </Text>
  </Paper>
);
