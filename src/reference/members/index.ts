/**
 * Adds descriptions to the members of objects. Schemas describe only members that are specific to them. Members that
 * occur in many schemas, and the fields of records, are described here by name.
 */

import { isObject, type Json, type JsonObject } from "../../platform/json/index.ts";
import { recordTypes } from "../../records/index.ts";
import type { Document } from "../examples/index.ts";
import { COMMON_TEXTS } from "./common-texts.ts";
import { RECORD_TEXTS } from "./record-texts.ts";
import { SCHEMA_TEXTS } from "./schema-texts.ts";

/** Schemas that share most of their members with another schema. */
const ALSO: Readonly<Record<string, string>> = {
  AccessTokenCreated: "AccessToken",
  EventWebhookCreated: "EventWebhook",
  EventWebhookUpdateRequest: "EventWebhookRequest",
  PartnerUpdateRequest: "PartnerRequest",
  PartnerWebhookRequest: "EventWebhookRequest",
  PartnerWebhookUpdateRequest: "EventWebhookRequest",
  PartnerWithAccessCode: "Partner",
  PersonLink: "Person",
  ReviewedLead: "PushedLead",
};

/** Maps the name of each record schema, such as LeadRequest, to the name without its prefix and suffix. */
const STEMS: ReadonlyMap<string, string> = new Map(
  recordTypes.flatMap(({ schemaName }) => [
    ...["Request", "UpdateRequest", "UpsertRequest", "Response"].map((end): [string, string] => [
      schemaName + end,
      schemaName,
    ]),
    [`Partner${schemaName}Response`, schemaName],
  ]),
);

/** Descriptions of the members that contain a page's records. */
const LISTS: Readonly<Record<string, string>> = Object.fromEntries(
  recordTypes.flatMap(({ envelope, schemaName, table }) =>
    envelope === undefined
      ? []
      : [[`${schemaName}ResponseList.${envelope}`, `The ${table} of the page.`]],
  ),
);

interface Place {
  /** The schema, or the operation that returns the object. */
  readonly owner: string;
  /** The member that contains the object. Empty at the top level. */
  readonly parent: string;
  readonly siblings: JsonObject;
}

/** Returns the description of a member, or undefined if there is none. */
function textOf(name: string, { owner, parent, siblings }: Place): string | undefined {
  const stem = STEMS.get(owner);
  const also = ALSO[owner] ?? owner;
  const inside = parent === "" ? undefined : `${parent}.${name}`;
  const tables =
    stem === undefined
      ? [LISTS, SCHEMA_TEXTS, COMMON_TEXTS]
      : [RECORD_TEXTS, SCHEMA_TEXTS, COMMON_TEXTS];
  const keys = [inside, `${owner}.${name}`, `${also}.${name}`, stem && `${stem}.${name}`, name];
  for (const key of keys) {
    // Inside a record, the members of a nested object are not fields of the record.
    if (key === undefined || (key === name && stem !== undefined && parent !== "")) continue;
    for (const table of tables) if (table[key] !== undefined) return table[key];
  }
  const moment = name.endsWith("_date") ? name.replace(/date$/, "ts") : "";
  return moment in siblings ? `\`${moment}\` in ISO 8601, UTC.` : undefined;
}

function described(schema: Json, owner: string, parent = ""): Json {
  if (Array.isArray(schema)) return schema.map((one) => described(one, owner, parent));
  if (!isObject(schema)) return schema;
  const { properties, ...rest } = schema;
  const others = Object.entries(rest).map(([keyword, value]): [string, Json] => [
    keyword,
    isSchemaIn(keyword) ? described(value, owner, parent) : value,
  ]);
  if (!isObject(properties)) return Object.fromEntries(others);
  const members = Object.entries(properties).map(([name, member]): [string, Json] => {
    const inner = described(member, owner, name);
    if (!isObject(inner)) return [name, inner];
    if (inner["description"] !== undefined || isDescribed(inner)) return [name, inner];
    const description = textOf(name, { owner, parent, siblings: properties });
    return [name, description === undefined ? inner : { ...inner, description }];
  });
  const all = Object.fromEntries(others);
  return { ...all, properties: Object.fromEntries(members) };
}

/** Whether a member refers to a schema whose description also describes the member. */
const isDescribed = ({ $ref }: JsonObject): boolean =>
  /\/(?:Ignored|SetOnCreate)$/.test(String($ref));

const isSchemaIn = (keyword: string): boolean =>
  ["items", "anyOf", "allOf", "oneOf", "additionalProperties"].includes(keyword);

/** Returns the description with all members described. */
export function withMemberTexts(document: Document): Document {
  const { schemas } = document.components;
  const named = Object.entries(schemas).map(([name, schema]) => [
    name,
    described(schema as JsonObject, name),
  ]);
  const paths = Object.entries(document.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => {
        const { operationId, responses } = operation;
        const returned = Object.entries(responses).map(([status, { content, ...response }]) => [
          status,
          content === undefined
            ? response
            : { ...response, content: inContent(content as unknown as JsonObject, operationId) },
        ]);
        return [method, { ...operation, responses: Object.fromEntries(returned) }];
      }),
    ),
  ]);
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: { ...document.components, schemas: Object.fromEntries(named) },
  };
}

const inContent = (content: JsonObject, owner: string): JsonObject =>
  Object.fromEntries(
    Object.entries(content).map(([type, media]) => {
      const { schema, ...others } = media as JsonObject;
      return [type, { schema: described(schema ?? {}, owner), ...others }];
    }),
  );
