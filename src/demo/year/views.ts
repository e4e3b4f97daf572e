/** Plans saved views for the tables in the console. */

import type { JsonObject } from "../../platform/json/index.ts";
import type { Year } from "./year.ts";

const view = (id: string, name: string, filter: JsonObject, sort?: string): JsonObject => ({
  id,
  name,
  state: { filter: JSON.stringify(filter), ...(sort !== undefined && { sort }) },
});

const VIEWS: JsonObject = {
  leads: [
    view("new", "New leads", { lead_status: { $in: ["open", "assigned"] } }, "-created_ts"),
    view("companies", "Companies", { tags: "company" }, "-created_ts"),
    view("show", "Home show", { tags: "home show" }),
  ],
  deals: [
    view("large", "Large deals", { value_of_sale: { $gte: 100_000 } }, "-value_of_sale"),
    view("contracts", "Contracts pending", { stage: "contract_pending" }),
  ],
  tasks: [view("open", "Open tasks", { is_completed: false }, "due_date")],
  invoices: [view("unpaid", "Unpaid", { stage: "open" }, "invoice_date")],
};

/** Plans saved views for the owner and the admin. */
export function planViews(year: Year): void {
  for (const by of ["owner", "maya"]) {
    year.add(year.start_s + 86_400, (stage) => stage.storePreferences(by, { views: VIEWS }));
  }
}
