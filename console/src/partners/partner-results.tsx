/** A partner's results and earnings. */

import { useQuery } from "@tanstack/react-query";
import { useSession } from "../api/index.ts";
import { t } from "../text/index.ts";
import { partnerTexts } from "../text/partners.ts";
import { Failure } from "../ui/states/index.ts";
import { money, number, rate } from "../ui/format/index.ts";
import { Section } from "../ui/frame/index.ts";
import { Stat, Stats } from "../ui/lists/index.ts";
import { numbersQuery, type Analytics, type Partner } from "./partner.ts";

const COUNTS: readonly (readonly [label: string, of: (numbers: Analytics) => number])[] = [
  [partnerTexts.pushed, ({ total_pushed }) => total_pushed],
  [partnerTexts.pending, ({ pending_review }) => pending_review],
  [partnerTexts.accepted, ({ accepted }) => accepted],
  [partnerTexts.imported, ({ imported }) => imported],
  [partnerTexts.rejected, ({ rejected }) => rejected],
  [partnerTexts.expired, ({ expired }) => expired],
];

export function PartnerResults({ partner }: { readonly partner: Partner }) {
  const { tenant } = useSession();
  const { data, error, refetch } = useQuery(numbersQuery(partner.id));
  return (
    <Section
      title={partnerTexts.numbers}
      hint={partnerTexts.numbersHint(rate(partner.commission_rate))}
    >
      <Failure error={error} onRetry={() => void refetch()} />
      <Stats label={partnerTexts.numbers}>
        {COUNTS.map(([label, of]) => (
          <Stat key={label} label={label} value={data ? number(of(data)) : t.common.none} />
        ))}
        <Stat
          label={partnerTexts.earnings}
          value={data ? money(data.estimated_earnings, tenant.currency) : t.common.none}
        />
      </Stats>
    </Section>
  );
}
