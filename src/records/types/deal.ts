/**
 * A deal is a potential sale. In the paths of write operations, it is called an opportunity. Its value defaults to the sum
 * of its products, and its close date is the time at which it was won or lost.
 */

import {
  choice,
  epoch,
  lines,
  money,
  number,
  reference,
  text,
  type TypeDefinition,
} from "./define.ts";
import { IMPORT_NAMES } from "./import-names/index.ts";
import { FROM_PARTNER } from "./person.ts";

const STAGES = [
  "draft",
  "prospecting",
  "discovery",
  "developing",
  "negotiation_review",
  "contract_pending",
  "closed_won",
  "closed_lost",
];

const FILTERS = [
  "stage",
  "marketing_source",
  "value_of_sale",
  "account_id",
  "contact_id",
  "partner_id",
];

export const deal = {
  name: "deal",
  schemaName: "Opportunity",
  idName: "opportunity_id",
  table: "deals",
  writePath: "/crm/opportunities",
  readPaths: ["/crm/deals", "/crm/opportunities"],
  description: "A potential sale to an account or contact, also called an opportunity.",
  fields: {
    name: text("The name of the deal.", 500, { required: true }),
    account_id: reference("account"),
    contact_id: reference("contact"),
    stage: choice("The stage.", STAGES, { fallback: "discovery" }),
    lost_reason: text("Why the deal was lost.", 500),
    value_of_sale: money("The value of the deal. Default: the sum of its products."),
    probability_pcnt: number("The probability of winning the deal, from 0 to 1.", {
      min: 0,
      max: 1,
    }),
    expected_close_date: epoch("When the deal is expected to close, in epoch seconds."),
    renewal_date: epoch("When the contract is up for renewal, in epoch seconds."),
    marketing_source: text("Where the record came from.", 500),
    business_need_description: text("What the customer needs.", 10_000),
    product_dict_list: lines("The products of the deal.", [
      { name: "product_id", kind: "text", description: "The id of the product." },
      { name: "unit_amount", kind: "money", description: "The price of one unit." },
      { name: "unit_count", kind: "money", description: "The number of units." },
    ]),
    external_id: text("The record's id in another system. Unique per record type.", 200),
  },
  oneOf: ["account_id", "contact_id"],
  frozen: ["account_id", "contact_id"],
  aliases: {},
  statusField: "stage",
  derived: {
    account_name: { kind: "name_of", reference: "account_id" },
    contact_name: { kind: "name_of", reference: "contact_id" },
    estimated_value_of_sale: { kind: "product", of: "value_of_sale", by: "probability_pcnt" },
    close_date: {
      kind: "moment",
      field: "stage",
      values: ["closed_won", "closed_lost"],
      description: "When the deal was won or lost, in epoch seconds; null while it is open.",
    },
    partner_id: {
      kind: "set_elsewhere",
      type: "id",
      empty: null,
      description: FROM_PARTNER,
      doc: "if this deal was [attributed](partner-exchange.md#attribution-and-commission) to a partner when it was created, the id of the partner",
    },
  },
  follows: {
    value_of_sale: { lines: "product_dict_list", amount: "unit_amount", count: "unit_count" },
  },
  onlyWhile: { lost_reason: { field: "stage", is: "closed_lost" } },
  timestamp: true,
  foundBy: "name",
  mainFields: [
    "name",
    "account_id",
    "contact_id",
    "stage",
    "lost_reason",
    "value_of_sale",
    "probability_pcnt",
    "expected_close_date",
    "product_dict_list",
  ],
  icon: "target",
  imports: IMPORT_NAMES.deal,
  lists: {
    all: {
      path: "/crm/deals",
      on: "timestamp",
      filter: [...FILTERS, "estimated_value_of_sale", "expected_close_date", "close_date"],
    },
    created: { path: "/crm/deals/created", on: "timestamp", windowHours: 4, filter: FILTERS },
    updated: { path: "/crm/deals/updated", on: "updated_ts", windowHours: 4, filter: FILTERS },
  },
} as const satisfies TypeDefinition;
