/**
 * The record types as described in docs/records.md, written by hand so that a wrong description in
 * the service cannot confirm itself. Do not import the service's code here.
 */

export type Fields = Record<string, unknown>;

/** A time window: its path, its timestamp and its default length. */
export interface WindowCase {
  readonly path: string;
  readonly on: "created_ts" | "updated_ts" | "status_update_date";
  readonly hours: number;
  readonly filter: readonly string[];
}

export interface TypeCase {
  readonly name: string;
  readonly table: string;
  readonly list: string;
  readonly write: string;
  readonly param: string;
  readonly envelope?: "leads" | "tasks";
  /** The smallest body that creates a record, without the reference to an account that some types also require. */
  readonly smallest: Fields;
  readonly needsAccount?: true;
  /** Two changes that a PATCH can always make to the same field. */
  readonly change: readonly [Fields, Fields];
  /** The fields that the list without a time window can be filtered by. */
  readonly filter: readonly string[];
  readonly windows: readonly WindowCase[];
  /** The members that every returned record of this type has. */
  readonly returns: readonly string[];
}

const STAMPS = [
  "created_ts",
  "updated_ts",
  "status_update_date",
  "created_date",
  "updated_date",
  "status_updated_date",
];
const COMMON = [
  "_id",
  "id",
  "name",
  "userid",
  "user_name",
  "created_by_userid",
  "external_id",
  "version",
  ...STAMPS,
];
const PERSON = [
  "first_name last_name email phone email_list phone_list source lead_source status comments",
  "employer_name profession title website ssn birth_year birth_month birth_day decision_date",
  "business_need_description social_dict_list match_preferences_dict contact_id partner_id",
  "pushed_lead_id tags",
].flatMap((words) => words.split(" "));

const PERSON_FILTER =
  "lead_source name email_list phone_list tags employer_name profession title".split(" ");
const DEAL_FILTER = "stage marketing_source value_of_sale account_id contact_id partner_id".split(
  " ",
);
const INVOICE_FILTER = ["stage", "invoice_type", "total_amount", "account_id", "contact_id"];
const ORDER_FILTER = ["stage", "order_type", "total_amount", "account_id", "contact_id"];

export const lead: TypeCase = {
  name: "lead",
  table: "leads",
  list: "/crm/leads",
  write: "/crm/leads",
  param: "lead_id",
  envelope: "leads",
  smallest: { name: "Ada Lovelace" },
  change: [{ profession: "engineer" }, { profession: "poet" }],
  filter: ["lead_status", ...PERSON_FILTER, "partner_id"],
  windows: [
    {
      path: "/crm/leads/created",
      on: "created_ts",
      hours: 4,
      filter: ["lead_status", ...PERSON_FILTER, "partner_id"],
    },
    {
      path: "/crm/leads/status_updated",
      on: "status_update_date",
      hours: 1,
      filter: ["lead_status", "lead_source", "name", "tags", "partner_id"],
    },
  ],
  returns: [...COMMON, ...PERSON, "lead_status", "converted_to_contact"],
};

export const contact: TypeCase = {
  name: "contact",
  table: "contacts",
  list: "/crm/contacts",
  write: "/crm/contacts",
  param: "contact_id",
  smallest: { name: "Grace Hopper" },
  change: [{ profession: "admiral" }, { profession: "teacher" }],
  filter: ["status", ...PERSON_FILTER, "account_id", "partner_id"],
  windows: [
    {
      path: "/crm/contacts/created",
      on: "created_ts",
      hours: 4,
      filter: [
        ..."status lead_source name tags employer_name profession title".split(" "),
        "account_id",
        "partner_id",
      ],
    },
    {
      path: "/crm/contacts/status_updated",
      on: "status_update_date",
      hours: 1,
      filter: ["status", "lead_source", "name", "tags", "account_id", "partner_id"],
    },
  ],
  returns: [
    ...COMMON,
    ...PERSON.filter((name) => name !== "contact_id"),
    "marketing_source",
    "account_id",
    "source_lead_id",
  ],
};

export const account: TypeCase = {
  name: "account",
  table: "accounts",
  list: "/crm/accounts",
  write: "/crm/accounts",
  param: "account_id",
  smallest: { name: "Example Mills" },
  change: [{ industry: "weaving" }, { industry: "dyeing" }],
  filter: [
    ..."status source relationship_type name company_name industry tags".split(" "),
    "email_list",
    "phone_list",
  ],
  windows: [],
  returns: [
    ...COMMON,
    ..."email phone email_list phone_list source marketing_source status tags".split(" "),
    ..."relationship_type company_name website description industry num_employees".split(" "),
    "social_dict_list",
  ],
};

export const deal: TypeCase = {
  name: "deal",
  table: "deals",
  list: "/crm/deals",
  write: "/crm/opportunities",
  param: "opportunity_id",
  smallest: { name: "Forty looms" },
  needsAccount: true,
  change: [{ marketing_source: "fair" }, { marketing_source: "letter" }],
  filter: [...DEAL_FILTER, "estimated_value_of_sale", "expected_close_date", "close_date"],
  windows: [
    { path: "/crm/deals/created", on: "created_ts", hours: 4, filter: DEAL_FILTER },
    { path: "/crm/deals/updated", on: "updated_ts", hours: 4, filter: DEAL_FILTER },
  ],
  returns: [
    ...COMMON,
    "timestamp",
    ..."account_id account_name contact_id contact_name stage value_of_sale".split(" "),
    ..."estimated_value_of_sale probability_pcnt expected_close_date close_date".split(" "),
    ..."renewal_date marketing_source business_need_description product_dict_list".split(" "),
    "partner_id",
    "lost_reason",
  ],
};

export const invoice: TypeCase = {
  name: "invoice",
  table: "invoices",
  list: "/crm/invoices",
  write: "/crm/invoices",
  param: "invoice_id",
  smallest: { total_amount: 99.5, invoice_line_list: [{ description: "cloth", amount: 99.5 }] },
  needsAccount: true,
  change: [{ description: "first" }, { description: "second" }],
  filter: [...INVOICE_FILTER, "invoice_date"],
  windows: [
    { path: "/crm/invoices/created", on: "created_ts", hours: 4, filter: INVOICE_FILTER },
    { path: "/crm/invoices/updated", on: "updated_ts", hours: 4, filter: INVOICE_FILTER },
  ],
  returns: [
    ...COMMON,
    "timestamp",
    ..."invoice_num invoice_type stage description total_amount invoice_date".split(" "),
    ..."account_id account_name contact_id contact_name opportunity_id".split(" "),
    "invoice_line_list",
  ],
};

export const order: TypeCase = {
  name: "order",
  table: "orders",
  list: "/crm/orders",
  write: "/crm/orders",
  param: "order_id",
  smallest: {},
  needsAccount: true,
  change: [{ description: "first" }, { description: "second" }],
  filter: [...ORDER_FILTER, "order_date"],
  windows: [
    { path: "/crm/orders/created", on: "created_ts", hours: 4, filter: ORDER_FILTER },
    { path: "/crm/orders/updated", on: "updated_ts", hours: 4, filter: ORDER_FILTER },
  ],
  returns: [
    ...COMMON,
    "timestamp",
    ..."order_num order_type stage description total_amount order_date".split(" "),
    ..."account_id account_name contact_id contact_name opportunity_id".split(" "),
    "order_line_list",
  ],
};

export const task: TypeCase = {
  name: "task",
  table: "tasks",
  list: "/crm/tasks",
  write: "/crm/tasks",
  param: "task_id",
  envelope: "tasks",
  smallest: { name: "Call back" },
  change: [{ description: "first" }, { description: "second" }],
  filter: [
    ..."status priority due_date subject_type subject userid action".split(" "),
    ..."is_completed name tags".split(" "),
  ],
  windows: [],
  returns: [
    ...COMMON,
    ..."description status priority due_date subject_type subject action".split(" "),
    ..."action_data tags is_completed completed_date".split(" "),
  ],
};

/** All types except tasks, the only type that can be deleted. */
export const RECORDS = [lead, contact, account, deal, invoice, order] as const;
export const ALL_TYPES = [...RECORDS, task] as const;

/** Every list operation with the type that it lists. */
export const LISTS: readonly { readonly type: TypeCase; readonly path: string }[] =
  ALL_TYPES.flatMap((type) => [
    { type, path: type.list },
    ...type.windows.map(({ path }) => ({ type, path })),
  ]);

/** A well-formed id that no record has. */
export const NOBODY = "00000000ffffffffffffffff";
