/** Example values of record fields, and example records in requests and responses. */

import type { Json, JsonObject } from "../../platform/json/index.ts";
import { draftOf, present as presentRecord } from "../../records/body/index.ts";
import { type Field, type RecordName, type RecordType } from "../../records/types/index.ts";
import { kindOf } from "../../records/kinds/index.ts";
import { newStamps } from "../../records/schemas/index.ts";
import { referenceFields } from "../../records/columns/index.ts";
import { IDS, idOfRecord } from "./ids.ts";
import { NOW, USER } from "./moments.ts";

type Values = Readonly<Record<string, Json>>;

/** Example values by field name, or by `type.field` where types differ. */
const VALUES: Values = {
  name: "Mara Lind",
  "account.name": "Lind & Sons",
  "deal.name": "Two berths",
  "invoice.name": "Berths, winter 2026",
  "order.name": "Winter storage",
  "task.name": "Call Mara Lind",
  first_name: "Mara",
  last_name: "Lind",
  email: "mara.lind@example.com",
  "account.email": "office@lind.example.com",
  phone: "(212) 555-0110",
  "account.phone": "(212) 555-0100",
  source: "Google",
  marketing_source: "Google",
  status: "open",
  "account.status": "prospect",
  "task.status": "assigned",
  comments: "Met at the boat show",
  tags: ["vip"],
  employer_name: "Lind & Sons",
  company_name: "Lind & Sons LLC",
  profession: "Boat builder",
  title: "Owner",
  website: "https://lind.example.com",
  industry: "Boat building",
  num_employees: 12,
  ssn: "123-45-6789",
  birth_year: 1984,
  birth_month: 5,
  birth_day: 17,
  decision_date: NOW.later_s,
  business_need_description: "Wants to berth two boats",
  social_dict_list: [{ type: "Linkedin", url: "https://linkedin.example.com/in/mara-lind" }],
  email_list: [{ type: "Main", email: "mara.lind@example.com" }],
  phone_list: [{ type: "Main", phone: "(212) 555-0110" }],
  external_id: "form-17",
  relationship_type: "prospect",
  description: "Two berths from May to October",
  "account.description": "Builds and repairs wooden boats",
  value_of_sale: 1200,
  probability_pcnt: 0.4,
  lost_reason: "Price too high",
  product_dict_list: [{ product_id: "berth-12m", unit_amount: 600, unit_count: 2 }],
  invoice_num: "2026-117",
  total_amount: 1200,
  invoice_line_list: [{ description: "Berth, 12 m", amount: 1200 }],
  order_line_list: [{ description: "Winter storage", amount: 1200 }],
  subject_type: "lead",
  subject: IDS.lead,
  userid: USER.id,
  action: "call",
  action_data: { number: "(212) 555-0110" },
  due_date: NOW.later_s,
};

/**
 * Whether a field has a realistic example. The example of a text field that is not in VALUES is just the field's name.
 */
export const hasExample = (type: RecordType, name: string): boolean =>
  valueIn(type, name) !== undefined || type.fields[name]?.kind !== "text";

const valueIn = (type: RecordType, name: string): Json | undefined =>
  VALUES[`${type.name}.${name}`] ?? VALUES[name];

const sentence = (name: string): string =>
  `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll("_", " ")}`;

export function fieldExample(type: RecordType, name: string): Json {
  const field = type.fields[name] as Field;
  const value = valueIn(type, name);
  const isTaken = field.kind !== "choice" || field.of.includes(String(value));
  if (value !== undefined && isTaken) return value;
  const values = { text: sentence(name), amount: 1200, time_s: NOW.later_s, idOf: idOfRecord };
  return kindOf(field).example(field, values);
}

/**
 * Fields that the examples omit: fields that Leadport fills in, and the subject of a task, because there is no example
 * record for it to refer to.
 */
const LEFT_OUT: readonly string[] = [
  "userid",
  "email_list",
  "phone_list",
  "lost_reason",
  "subject_type",
  "subject",
];

/** Returns the body that creates a type's example record. Contains the fields that the console shows first. */
export function creation(type: RecordType): JsonObject {
  const { mainFields = Object.keys(type.fields), oneOf = [] } = type;
  const required = Object.keys(type.fields).filter((name) => type.fields[name]?.required);
  const names = new Set([...required, ...oneOf, ...mainFields]);
  return Object.fromEntries(
    [...names]
      .filter((name) => !LEFT_OUT.includes(name) && name in type.fields)
      .map((name) => [name, fieldExample(type, name)]),
  );
}

const CHANGES: Readonly<Partial<Record<RecordName, JsonObject>>> = {
  lead: { status: "contacted", comments: "Wants an offer for two berths" },
  contact: { status: "contacted", title: "Managing director" },
  account: { status: "customer", num_employees: 14 },
  deal: { stage: "negotiation_review", probability_pcnt: 0.7 },
  invoice: { stage: "open" },
  order: { stage: "approved" },
  task: { status: "completed" },
};

/** Returns the body that updates a type's example record. */
export function change(type: RecordType): JsonObject {
  const { statusField } = type;
  const known = CHANGES[type.name];
  if (known !== undefined) return known;
  const field = type.fields[statusField];
  return { [statusField]: field?.kind === "choice" ? (field.of.at(-1) ?? "") : "" };
}

/** Returns the body that creates or updates a record by a key in the path. */
export function upsertBy(type: RecordType, key: string): JsonObject {
  const { [key]: _, ...body } = creation(type);
  return body;
}

const nameOfRecord = (type: RecordName): string => String(VALUES[`${type}.name`] ?? VALUES["name"]);

/** Returns a type's example record as in the response to its creation. */
export function returned(type: RecordType): JsonObject {
  const references = referenceFields(type).map(
    ({ field, to }) => [field, nameOfRecord(to)] as const,
  );
  const draft = draftOf(type, creation(type), "US");
  const numbers = Object.entries(type.derived).flatMap(([name, derived]) =>
    derived.kind === "sequence" ? [[name, `${derived.prefix}${derived.start}`] as const] : [],
  );
  const values = { ...draft.values, ...Object.fromEntries(numbers) };
  const body = presentRecord(
    type,
    { ...draft, values },
    {
      id: idOfRecord(type.name),
      now_s: NOW.now_s,
      owner: { userid: USER.id, user_name: USER.name },
      createdBy: USER.id,
      names: Object.fromEntries(references),
    },
  );
  return { ...body, ...newStamps(type, NOW.now_s) };
}
