/** Queries for event webhooks. */

import type { EventWebhook, EventWebhookCreated, EventWebhookRequest } from "@leadport/client";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/index.ts";

export type { EventWebhook, EventWebhookCreated, EventWebhookRequest };

export const WEBHOOKS = "/crm/webhooks";
const REPLAYING_ms = 2000;

/** The query for one webhook. It is polled while a replay is in progress. */
export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ["webhook", id],
    queryFn: ({ signal }) =>
      api.get("/crm/webhooks/{webhook_id}", { path: { webhook_id: id }, signal }),
    refetchInterval: ({ state: { data } }) => {
      const replay = data?.replay;
      const isUnderWay = replay !== undefined && replay !== null && replay.finished_date === null;
      return isUnderWay ? REPLAYING_ms : false;
    },
  });

/** The query for the health of all webhooks. */
export const healthQuery = queryOptions({
  queryKey: ["webhook-health"],
  queryFn: ({ signal }) => api.get("/crm/webhooks/health", { signal }),
});

/** Changes some or all settings of a webhook. */
export const changeWebhook = async (id: string, body: Partial<EventWebhookRequest>) =>
  api.patch("/crm/webhooks/{webhook_id}", { path: { webhook_id: id }, body });
