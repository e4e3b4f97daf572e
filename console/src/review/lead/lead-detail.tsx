/** One partner lead: details, possible duplicates and history. */

import { Button, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import { IconArrowLeft, IconCopyCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { isNotFound } from "@leadport/client";
import type { ReactNode } from "react";
import { ask } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { QueryState, Empty, Failure } from "../../ui/states/index.ts";
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

/** The query for a lead with its possible duplicates. */
export const leadQuery = (id: string) => ({
  queryKey: leadKey(id),
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
    (await ask<PushedLeadInFull>("get", pushedLeadPath(id), { signal })).data,
});

export interface LeadDetailProps {
  readonly id: string;
  /** The lead from the list, shown until all of its details are loaded. */
  readonly listed: PushedLead | undefined;
  readonly actions: (lead: PushedLead) => ReactNode;
  /** Returns to the list on narrow screens, where only one of the two is visible. */
  readonly onBack: (() => void) | undefined;
}

export function LeadDetail({ id, listed, actions, onBack }: LeadDetailProps) {
  const query = useQuery(leadQuery(id));
  const lead = listed ?? query.data;
  if (lead === undefined) {
    if (isNotFound(query.error)) {
      return <Empty title={t.errors.notFoundTitle} hint={t.errors.notFound} />;
    }
    return <QueryState query={query} />;
  }
  // The record created from this lead is not a duplicate of it.
  const duplicates = query.data?.resembles?.filter(({ id }) => id !== lead.imported_lead_id);
  // The list has the latest status, but only the service has the complete history.
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
      {duplicates === undefined && lead.possible_duplicate && !query.isError && (
        <Skeleton h={220} aria-hidden />
      )}
      <Failure error={query.error} onRetry={() => void query.refetch()} />
      {duplicates !== undefined && (lead.possible_duplicate || duplicates.length > 0) && (
        <Duplicates lead={lead} duplicates={duplicates} />
      )}
      <LeadHistory lead={known} />
      {onBack !== undefined && actions(lead)}
    </Stack>
  );
}
