/** What a tenant sees of its deliveries, and sending one again. */

import { scopeOf, type Caller } from "../access/index.ts";
import { isDuplicate, transaction, type Database } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";
import { idIn } from "../platform/clock/index.ts";
import { operation, type Operation } from "../platform/operations/index.ts";
import { linkNext, objectSchema } from "../platform/validation/index.ts";
import { LIST_PARAMETERS, listDeliveries, readDelivery } from "./deliveries.ts";
import { resend, type ResendDeps } from "./enqueue.ts";

export interface DeliveryRoutesDeps extends ResendDeps {
  readonly db: Database;
}

const ALL = { url: "/crm/admin/deliveries", tag: "deliveries", permission: "admin" } as const;
const ONE = {
  ...ALL,
  url: `${ALL.url}/:delivery_id`,
  path: {
    delivery_id: { kind: "text", max: 100, description: "The delivery's id, its webhook-id." },
  },
} as const;

export const deliveryOperations = (deps: DeliveryRoutesDeps): readonly Operation<Caller>[] => [
  operation({
    ...ALL,
    method: "GET",
    id: "list_deliveries",
    summary: "What was sent or is to be sent to the tenant's endpoints, newest first",
    query: LIST_PARAMETERS,
    answer: { type: "array", items: { $ref: "Delivery#" } },
    run: async ({ caller, query, request, reply }) => {
      const { entries, next } = await listDeliveries(scopeOf(deps.db.lists, caller), query);
      linkNext(request, reply, next);
      return entries;
    },
  }),
  operation({
    ...ONE,
    method: "GET",
    id: "get_delivery",
    summary: "One delivery with its attempts",
    answer: {
      allOf: [
        { $ref: "Delivery#" },
        objectSchema({ attempts: { type: "array", items: { $ref: "DeliveryAttempt#" } } }),
      ],
    },
    run: async ({ caller, path }) => {
      const delivery = await readDelivery(scopeOf(deps.db.sql, caller), idIn(path, "delivery_id"));
      if (delivery === undefined) throw new AppError("not_found");
      return delivery;
    },
  }),
  operation({
    ...ONE,
    method: "POST",
    url: `${ONE.url}/resend`,
    id: "resend_delivery",
    summary: "Send a delivery anew under the same id; one that is pending, at once",
    answer: { $ref: "Delivery#" },
    failures: { 409: "Another delivery about the same is still open; `existing_id` names it" },
    run: async ({ caller, path, write }) => {
      const id = idIn(path, "delivery_id");
      return write(async (db) => {
        const scope = scopeOf(db, caller);
        await transaction(db, (tx) => resend({ ...scope, db: tx }, deps, id)).catch(
          (error: unknown) => {
            // Another one about the same was started in the same moment.
            throw isDuplicate(error) ? new AppError("conflict") : error;
          },
        );
        const { attempts: _, ...delivery } = (await readDelivery(scope, id)) ?? {};
        return delivery;
      });
    },
  }),
];
