/** One pushed lead: what is known of it, whom it resembles, and its way so far. */

import { Button, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import { IconArrowLeft, IconCopyCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { isNotFound } from "@leadport/client";
import type { ReactNode } from "react";
import { ask } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { Awaited, Empty, Failure } from "../../ui/states/index.ts";
import { StatusBadge } from "../../ui/lists/index.ts";
import { Duplicates } from "./duplicates.tsx";
import { LeadFacts } from "./lead-facts.tsx";
import { LeadHistory } from "./lead-history.tsx";
import {
  leadKey,
  type PushedLead,
  type PushedLeadInFull,
  pushedLeadPath,
} from "../pushed-leads/index.ts";
import classes from "../pushed-leads/review.module.css";

/** A lead with whom it resembles, as it is now. */
export const leadQuery = (id: string) => ({
  queryKey: leadKey(id),
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
    (await ask<PushedLeadInFull>("get", pushedLeadPath(id), { signal })).data,
});

export interface LeadDetailProps {
  readonly id: string;
  /** As the list has it, which is shown until all of it is read. */
  readonly listed: PushedLead | undefined;
  readonly actions: (lead: PushedLead) => ReactNode;
  /** The way back, where the list is not beside it. */
  readonly onBack: (() => void) | undefined;
}

export function LeadDetail({ id, listed, actions, onBack }: LeadDetailProps) {
  const query = useQuery(leadQuery(id));
  const lead = listed ?? query.data;
  if (lead === undefined) {
    if (isNotFound(query.error)) {
      return <Empty title={t.errors.notFoundTitle} hint={t.errors.notFound} />;
    }
    return <Awaited query={query} />;
  }
  // What was imported is the lead itself.
  const alike = query.data?.resembles?.filter(({ id }) => id !== lead.imported_lead_id);
  // The list knows the state soonest; only the service knows the whole way.
  const known = query.data === undefined ? lead : { ...query.data, status: lead.status };
  return (
    <Stack gap="lg">
      <div>
        {onBack !== undefined && (
          <Button
            variant="subtle"
            size="compact-sm"
            mb="xs"
            leftSection={<IconArrowLeft size={16} aria-hidden />}
            onClick={onBack}
          >
            {t.review.toList}
          </Button>
        )}
        <Group justify="space-between" align="flex-start" gap="sm">
          <Title order={2} style={{ overflowWrap: "anywhere" }}>
            {lead.name}
          </Title>
          <Group gap="xs">
            {lead.possible_duplicate && (
              <Text size="sm" className={classes["soon"]}>
                <IconCopyCheck size={16} aria-hidden className={classes["inlineIcon"]} />{" "}
                {t.review.isDuplicate}
              </Text>
            )}
            <StatusBadge value={lead.status} label={t.review.statuses[lead.status]} />
          </Group>
        </Group>
      </div>
      {onBack === undefined && actions(lead)}
      <LeadFacts lead={known} />
      {alike === undefined && lead.possible_duplicate && !query.isError && (
        <Skeleton h={220} aria-hidden />
      )}
      <Failure error={query.error} onRetry={() => void query.refetch()} />
      {alike !== undefined && (lead.possible_duplicate || alike.length > 0) && (
        <Duplicates lead={lead} alike={alike} />
      )}
      <LeadHistory lead={known} />
      {onBack !== undefined && actions(lead)}
    </Stack>
  );
}
