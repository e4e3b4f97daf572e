/** Operations that read and resend a tenant's deliveries. */

import { scopeOf, type Caller } from "../access/index.ts";
import type { Scope } from "../audit/index.ts";
import { becomeBulk } from "../platform/admission/index.ts";
import { transaction, type Database } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";
import { idIn, isId } from "../platform/ids/index.ts";
import { operation, type Operation } from "../platform/operations/index.ts";
import { linkNext, queryError } from "../platform/paging/index.ts";
import { objectSchema, type Schemas } from "../platform/schemas/index.ts";
import { WHOLE_ATTEMPT_SCHEMA } from "./attempts.ts";
import {
  DELIVERY_SCHEMA,
  filterParameters,
  LIST_PARAMETERS,
  listDeliveries,
  type ListQuery,
  readDelivery,
} from "./deliveries.ts";
import { type About, described, type DescribedTopics, ofWebhook } from "./description.ts";
import { WEBHOOK_HEALTH } from "./health.ts";
import {
  resend,
  RESEND_MAX,
  RESEND_SCHEMAS,
  RESEND_SHAPE,
  resendAll,
  resendError,
  type ResendDeps,
} from "./resend.ts";

export interface DeliveryRoutesDeps extends ResendDeps {
  readonly db: Database;
  readonly topics: DescribedTopics;
}

/** The schemas of delivery operations, keyed by their names in openapi.json. */
export const deliverySchemas: Schemas = {
  Delivery: DELIVERY_SCHEMA,
  DeliveryAttempt: WHOLE_ATTEMPT_SCHEMA,
  WebhookHealth: WEBHOOK_HEALTH,
  ...RESEND_SCHEMAS,
};

const ALL = { url: "/crm/admin/deliveries", tag: "deliveries", permission: "admin" } as const;
const ONE = {
  ...ALL,
  url: `${ALL.url}/:delivery_id`,
  path: {
    delivery_id: {
      kind: "text",
      max: 100,
      description: "The id of the delivery, sent as `webhook-id`.",
    },
  },
} as const;

export const deliveryOperations = (deps: DeliveryRoutesDeps): readonly Operation<Caller>[] => [
  listOf(deps),
  operation({
    ...ONE,
    method: "GET",
    id: "get_delivery",
    summary: "Get a delivery",
    description: "Returns a delivery with all its attempts.",
    answer: {
      allOf: [
        { $ref: "Delivery#" },
        objectSchema({
          attempts: {
            type: "array",
            items: { $ref: "DeliveryAttempt#" },
            description: "All attempts, oldest first.",
          },
        }),
      ],
    },
    run: async ({ caller, path }) => {
      const scope = scopeOf(deps.db.sql, caller);
      const delivery = await readDelivery(scope, idIn(path, "delivery_id"));
      if (delivery === undefined) throw new AppError("not_found");
      return (await described(scope, deps.topics, [delivery]))[0];
    },
  }),
  operation({
    ...ONE,
    method: "POST",
    url: `${ONE.url}/resend`,
    id: "resend_delivery",
    summary: "Resend a delivery",
    description:
      "Sends the delivery again under the same id: from the start of the schedule if it has " +
      "ended, or immediately if it is pending.",
    answer: { $ref: "Delivery#" },
    failures: { 409: "Another delivery of the event is pending (`existing_id`)." },
    run: async ({ caller, path, write }) => {
      const id = idIn(path, "delivery_id");
      return write(async (db) => {
        const scope = scopeOf(db, caller);
        await transaction(db, (tx) => resend({ ...scope, db: tx }, deps, id)).catch(
          (error: unknown) => {
            throw resendError(error);
          },
        );
        const { attempts: _, ...delivery } = (await readDelivery(scope, id)) ?? {};
        return delivery;
      });
    },
  }),
  operation({
    ...ALL,
    method: "POST",
    url: `${ALL.url}/resend`,
    isIdToOthers: true,
    id: "resend_deliveries",
    summary: "Resend many deliveries",
    description: `Resends up to ${RESEND_MAX} deliveries and returns one result for each.`,
    body: RESEND_SHAPE,
    answer: { type: "array", items: { $ref: "DeliveryResendResult#" } },
    run: async ({ caller, body: { ids }, write }) => {
      becomeBulk();
      return write((db) =>
        transaction(db, (tx) => resendAll({ ...scopeOf(db, caller), db: tx }, deps, ids)),
      );
    },
  }),
];

const listOf = ({ db, topics }: DeliveryRoutesDeps): Operation<Caller> => {
  const events = Object.values(topics).flatMap((topic) => topic.events);
  return operation({
    ...ALL,
    method: "GET",
    id: "list_deliveries",
    summary: "List deliveries",
    description: "Lists the webhook requests of the tenant and its partners, newest first.",
    query: { ...LIST_PARAMETERS, ...filterParameters(events) },
    answer: { type: "array", items: { $ref: "Delivery#" } },
    run: async ({ caller, query, request, reply }) => {
      const scope: Scope = scopeOf(db.lists, caller);
      refuseNoId(query);
      const { entries, next } = await listDeliveries(scope, query, aboutWebhook(topics, query));
      linkNext(request, reply, next);
      return described(scope, topics, entries);
    },
  });
};

function refuseNoId({ record_id }: ListQuery): void {
  if (record_id === undefined || isId(record_id)) return;
  throw queryError(
    "record_id",
    record_id,
    "a record id must have 24 hexadecimal digits (0-9, a-f)",
  );
}

/** Selects a webhook's deliveries. Throws 422 if the value cannot be a webhook id. */
function aboutWebhook(topics: DescribedTopics, { webhook_id }: ListQuery): About | undefined {
  if (webhook_id === undefined) return undefined;
  const about = ofWebhook(topics, webhook_id);
  if (about !== undefined) return about;
  const sentence = "a webhook id must have 24 hexadecimal digits (0-9, a-f) or be import_webhook";
  throw queryError("webhook_id", webhook_id, sentence);
}
