/** A partner lead's history: each status with its time and who set it. */

import { Text, Timeline, Title } from "@mantine/core";
import { t } from "../../text/index.ts";
import type { PushedLead } from "../pushed-leads/index.ts";
import { Time } from "../../ui/lists/index.ts";

type Step = PushedLead["history"][number];

export const LeadHistory = ({ lead }: { readonly lead: PushedLead }) => (
  <section aria-labelledby="history">
    <Title order={3} id="history" size="h4" mb="sm">
      {t.review.history}
    </Title>
    <Timeline active={lead.history.length - 1} bulletSize={14} lineWidth={2}>
      {lead.history.map((step) => (
        <Timeline.Item
          key={`${step.to} ${step.at}`}
          title={step.from === null ? t.review.submitted : t.review.statuses[step.to]}
        >
          <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            <Time at={Date.parse(step.at) / 1000} /> {actorOf(step, lead)}
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  </section>
);

function actorOf({ by, from, actor }: Step, { partner_name }: PushedLead): string {
  if (from === null) return t.review.by.partner(partner_name);
  switch (by) {
    case "partner":
      return t.review.by.partner(partner_name);
    case "tenant":
      return t.review.by.tenant(actor?.name ?? t.review.someone);
    case "auto_accept":
      return t.review.by.auto_accept();
    case "clock":
      return t.review.by.clock();
  }
}
