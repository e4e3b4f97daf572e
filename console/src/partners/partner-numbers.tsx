/** What became of all that a partner pushed, and what it earned. */

import { Paper, SimpleGrid, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useSession } from "../api/index.ts";
import { t } from "../text/index.ts";
import { Failure } from "../ui/states/index.ts";
import { money, number, percent } from "../ui/format/index.ts";
import { Section } from "../ui/frame/index.ts";
import { numbersQuery, type Analytics, type Partner } from "./partner.ts";

const COUNTS: readonly (readonly [label: string, of: (numbers: Analytics) => number])[] = [
  [t.partners.pushed, ({ total_pushed }) => total_pushed],
  [t.partners.pending, ({ pending_review }) => pending_review],
  [t.partners.accepted, ({ accepted }) => accepted],
  [t.partners.imported, ({ imported }) => imported],
  [t.partners.rejected, ({ rejected }) => rejected],
  [t.partners.expired, ({ expired }) => expired],
];

export function PartnerNumbers({ partner }: { readonly partner: Partner }) {
  const { tenant } = useSession();
  const { data, error, refetch } = useQuery(numbersQuery(partner.id));
  return (
    <Section
      title={t.partners.numbers}
      hint={t.partners.numbersHint(percent(partner.commission_rate / 100))}
    >
      <Failure error={error} onRetry={() => void refetch()} />
      <SimpleGrid cols={{ base: 2, xs: 3, lg: 7 }} spacing="sm">
        {COUNTS.map(([label, of]) => (
          <Figure key={label} label={label} value={data && number(of(data))} />
        ))}
        <Figure
          label={t.partners.earnings}
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
