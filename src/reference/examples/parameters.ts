/**
 * Examples of parameters. A sample request contains only the parameters that are listed for its operation. The
 * reference page would send every parameter that has an example or a default, so all other parameters are marked
 * `x-disabled`.
 */

import { asList, type Json, type JsonObject } from "../../platform/json/index.ts";
import type { Sample } from "../../platform/modules/index.ts";
import { IDS, idOfParameter } from "./ids.ts";

/** A parameter as OpenAPI describes it. */
export interface DescribedParameter {
  readonly name: string;
  readonly in: string;
  readonly schema: JsonObject;
  readonly example?: Json;
  readonly examples?: Readonly<Record<string, { readonly value: Json }>>;
}

const KEYS: Readonly<Record<string, string>> = {
  email: "mara.lind@example.com",
  phone: "+12125550110",
  external_id: "form-17",
};

const VALUES: Readonly<Record<string, Json>> = {
  action: "updated",
  actor_id: IDS.token,
  cursor: "WyJuYW1lIiwxLCJNYXJhIExpbmQiXQ",
  eval_object_id: false,
  match_filter_dict: '{"name": {"$regex": "^M"}}',
  page_size: 50,
  partner_id: IDS.partner,
  possible_duplicate: true,
  record_id: IDS.lead,
  since: "now",
  sort_dict: '{"name": 1}',
  source: "Referral",
  subject_id: IDS.lead,
  subject_type: "lead",
  timezone: "America/New_York",
  topic: "lead.imported",
  types: "lead,deal",
  webhook_id: IDS.webhook,
  "If-Match": '"v1"',
  "If-None-Match": '"v1"',
  "Idempotency-Key": "order-1017",
  "Last-Event-ID": "AAAAAABh4wAAaWnL3gk2mN",
  Prefer: "count=exact",
  "X-Partner-Id": IDS.partner,
};

/** The header that programs must send for writes with a session cookie. Browsers send it automatically. */
const SENT_HEADERS: Readonly<Record<string, string>> = { "Sec-Fetch-Site": "same-origin" };

const disabled = (value: Json) => ({ value, "x-disabled": true });

/** Path parameters that need a different record than usual, by operation. */
const OTHERS: Readonly<Record<string, string>> = { import_pushed_lead: IDS.accepted_lead };

function valueOf({ name, in: place, schema }: DescribedParameter, operationId: string): Json {
  if (place === "path") {
    return OTHERS[operationId] ?? idOfParameter(name) ?? KEYS[name] ?? name;
  }
  const [value] = asList(schema["enum"]);
  const { default: usual, minimum } = schema;
  return value ?? VALUES[name] ?? usual ?? minimum ?? null;
}

/** Adds the example to a parameter. */
export function withExample(
  parameter: DescribedParameter,
  operationId: string,
  { query = {} }: Sample,
): DescribedParameter {
  const { example, examples, ...described } = parameter;
  const { name, in: place } = parameter;
  const sent = place === "header" ? SENT_HEADERS[name] : query[name];
  if (sent !== undefined) return { ...described, example: sent };
  if (place === "path") return { ...described, example: valueOf(parameter, operationId) };
  // The reference page selects the parameter example that has the same name as the selected body example.
  const values = examples ?? { example: { value: example ?? valueOf(parameter, operationId) } };
  const shown = Object.entries(values).map(([key, { value }]) => [key, disabled(value)] as const);
  return { ...described, examples: Object.fromEntries(shown) };
}
