/** An order or quote for an account or a contact. */

import { choice, epoch, lines, money, reference, text, type TypeDefinition } from "./define.ts";
import { IMPORT_NAMES } from "./import-names/index.ts";
import { BILLING_LINE } from "./invoice.ts";

const FILTERS = ["stage", "order_type", "total_amount", "account_id", "contact_id"];

export const order = {
  name: "order",
  schemaName: "Order",
  idName: "order_id",
  table: "orders",
  writePath: "/crm/orders",
  readPaths: ["/crm/orders"],
  description: "An order or a quote for an account or contact. Leadport assigns the order number.",
  fields: {
    name: text("The name of the order. Default: its number.", 500),
    order_type: choice("The type of the order.", ["sales", "quote"], { fallback: "sales" }),
    account_id: reference("account"),
    contact_id: reference("contact"),
    opportunity_id: reference("deal"),
    stage: choice("The stage.", ["draft", "pending", "approved", "fulfilled", "cancelled"], {
      fallback: "draft",
    }),
    description: text("A description.", 10_000),
    total_amount: money("The total amount."),
    order_date: epoch("The date of the order, in epoch seconds."),
    order_line_list: lines("The lines of the order.", BILLING_LINE),
    external_id: text("The record's id in another system. Unique per record type.", 200),
  },
  oneOf: ["account_id", "contact_id"],
  frozen: ["name", "order_type", "account_id", "contact_id"],
  aliases: {},
  statusField: "stage",
  derived: {
    order_num: { kind: "sequence", prefix: "SO-", start: 1001 },
    account_name: { kind: "name_of", reference: "account_id" },
    contact_name: { kind: "name_of", reference: "contact_id" },
  },
  defaultsTo: { name: "order_num" },
  timestamp: true,
  mainFields: [
    "account_id",
    "contact_id",
    "order_type",
    "stage",
    "order_date",
    "order_line_list",
    "total_amount",
  ],
  icon: "cart",
  imports: IMPORT_NAMES.order,
  lists: {
    all: { path: "/crm/orders", on: "timestamp", filter: [...FILTERS, "order_date"] },
    created: { path: "/crm/orders/created", on: "timestamp", windowHours: 4, filter: FILTERS },
    updated: { path: "/crm/orders/updated", on: "updated_ts", windowHours: 4, filter: FILTERS },
  },
} as const satisfies TypeDefinition;
