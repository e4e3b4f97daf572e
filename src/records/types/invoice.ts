/** An invoice is a bill to an account. */

import {
  choice,
  epoch,
  lines,
  money,
  reference,
  text,
  type Member,
  type TypeDefinition,
} from "./define.ts";
import { IMPORT_NAMES } from "./import-names/index.ts";

/** The members of a line in invoices and orders. */
export const BILLING_LINE: readonly Member[] = [
  { name: "description", kind: "text", description: "What the line is for." },
  { name: "amount", kind: "money", description: "The amount of the line." },
  {
    name: "line_detail_dict",
    kind: "line_detail",
    description: "The quantity and the price of one unit.",
  },
];

const FILTERS = ["stage", "invoice_type", "total_amount", "account_id", "contact_id"];

export const invoice = {
  name: "invoice",
  schemaName: "Invoice",
  idName: "invoice_id",
  table: "invoices",
  writePath: "/crm/invoices",
  readPaths: ["/crm/invoices"],
  description: "A bill for an account, with a number that is unique within the tenant.",
  fields: {
    name: text("The name of the invoice. Default: its number.", 500),
    invoice_num: text("The invoice number, unique within the tenant.", 100, { required: true }),
    invoice_type: choice(
      "The type of the invoice.",
      ["sales", "credit", "refund", "reimbursement"],
      { fallback: "sales" },
    ),
    account_id: reference("account", { required: true }),
    contact_id: reference("contact"),
    opportunity_id: reference("deal"),
    stage: choice("The stage.", ["draft", "open", "paid", "cancelled", "void", "uncollectible"], {
      fallback: "draft",
    }),
    description: text("A description.", 10_000),
    total_amount: money("The total amount.", { required: true }),
    invoice_date: epoch("The date of the invoice, in epoch seconds."),
    invoice_line_list: lines("The lines of the invoice.", BILLING_LINE, { required: true }),
    external_id: text("The record's id in another system. Unique per record type.", 200),
  },
  frozen: ["invoice_num", "invoice_type", "account_id", "contact_id"],
  aliases: {},
  statusField: "stage",
  derived: {
    account_name: { kind: "name_of", reference: "account_id" },
    contact_name: { kind: "name_of", reference: "contact_id" },
  },
  defaultsTo: { name: "invoice_num" },
  timestamp: true,
  foundBy: "invoice_num",
  mainFields: [
    "invoice_num",
    "invoice_type",
    "account_id",
    "contact_id",
    "stage",
    "invoice_date",
    "invoice_line_list",
    "total_amount",
  ],
  icon: "invoice",
  imports: IMPORT_NAMES.invoice,
  lists: {
    all: { path: "/crm/invoices", on: "timestamp", filter: [...FILTERS, "invoice_date"] },
    created: { path: "/crm/invoices/created", on: "timestamp", windowHours: 4, filter: FILTERS },
    updated: { path: "/crm/invoices/updated", on: "updated_ts", windowHours: 4, filter: FILTERS },
  },
} as const satisfies TypeDefinition;
