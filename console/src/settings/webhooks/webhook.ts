/** Event webhooks as the pages ask for them. */

import type { EventWebhook, EventWebhookCreated, EventWebhookRequest } from "@leadport/client";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/index.ts";

export type { EventWebhook, EventWebhookCreated, EventWebhookRequest };

export const WEBHOOKS = "/crm/webhooks";
const REPLAYING_ms = 2000;

/** One webhook; asked again and again while a replay of it is under way. */
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

/** Changes a webhook, or a part of it. */
export const changeWebhook = async (id: string, body: Partial<EventWebhookRequest>) =>
  api.patch("/crm/webhooks/{webhook_id}", { path: { webhook_id: id }, body });
