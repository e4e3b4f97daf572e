/** Checks the requests that webhooks receive against the schemas in openapi.json. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Document } from "../kit/openapi.ts";

const document: Document = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../openapi.json"), "utf8"),
);
const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
ajv.addSchema({ $id: "openapi", components: document.components });

/** Returns the reference to the schema of a webhook's payload in openapi.json. */
const schemaOf = (name: string): string | undefined =>
  document.webhooks[name]?.post.requestBody.content["application/json"].schema.$ref;

/** Fails if an event does not match openapi.json or has undocumented members. */
export function assertDescribed(event: Document): void {
  const isPartners = "pushed_lead" in event.data;
  const $ref = schemaOf(isPartners ? `partner.${event.type}` : event.type);
  assert.ok($ref, `${event.type} is not described`);
  const valid = ajv.validate({ $ref: `openapi${$ref}` }, event);
  assert.ok(valid, `${event.type}: ${ajv.errorsText()} in ${JSON.stringify(event).slice(0, 500)}`);
  const [, name = ""] = /(\w+)$/.exec($ref) ?? [];
  const { properties } = document.components.schemas[name];
  const [, data = ""] = /(\w+)$/.exec(properties.data.$ref) ?? [];
  const known = Object.keys(document.components.schemas[data].properties);
  const unknown = Object.keys(event.data).filter((member) => !known.includes(member));
  assert.deepEqual([Object.keys(event).toSorted(), unknown], [["data", "timestamp", "type"], []]);
}

/** Returns the names of the webhooks that openapi.json describes. */
export const describedWebhooks = (): readonly string[] => Object.keys(document.webhooks);
