/** Every default in openapi.json is true: sending it returns the same as leaving it out. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { BUILT_IN_TYPES } from "../../../src/records/types/index.ts";
import { fileApi } from "../../kit/file-api.ts";
import { oneOfEach } from "../one-of-each.ts";
import { filled, readDocument, type Document } from "../operations.ts";
import { makeReferable, ok, partialBody } from "../samples.ts";

const api = await fileApi({ rateLimit: 0 });
const acme = await api.tenant();
const document = await readDocument(acme);
const { owned, keys, partner } = await oneOfEach(acme, document);

/** The defaults of an operation's query parameters. */
const defaultsOf = ({ parameters = [] }: Document): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    parameters
      .filter(({ in: place, schema }: Document) => place === "query" && "default" in schema)
      .map(({ name, schema }: Document) => [name, schema.default]),
  );

const idOf = (name: string): string => owned[name] ?? keys[name] ?? name;

/** Every read operation with defaults, and a client that may call it. */
const reads = Object.entries<Document>(document.paths).flatMap(([path, { get }]) => {
  const defaults = defaultsOf(get ?? {});
  const isOpen = get?.security?.some(
    (one: object) => "APIKeyHeader" in one || "PartnerToken" in one,
  );
  if (Object.keys(defaults).length === 0 || isOpen !== true) return [];
  const client = "PartnerToken" in get.security[0] ? partner : acme;
  return [{ path: filled(path, idOf), defaults, client }];
});

test("a request with all default parameters returns the same as one without parameters", async () => {
  const refs = await makeReferable(acme);
  for (const type of Object.values(BUILT_IN_TYPES)) {
    const items = Array.from({ length: 51 }, (_, at) => partialBody(type, 100 + at, refs));
    const { body } = await acme.post(`${type.writePath}/batch`, { items });
    for (const item of body) assert.equal(item.status, 200, JSON.stringify(item));
  }
  const lead = ok(
    await acme.post("/crm/leads", { name: "Known", email: "known@example.com" }),
  ).body;
  ok(await partner.post("/crm/partner/push", { name: "Known", email: lead.email }));
  for (const { path, defaults, client } of reads) {
    const without = ok(await client.get(path));
    assert.deepEqual(ok(await client.get(path, defaults)).body, without.body, path);
  }
  assert.ok(reads.length > 30, `${reads.length} operations`);
});

test("a push with all default members is accepted, as one without them is", async () => {
  const { properties } = document.components.schemas.PartnerPushRequest;
  const defaults = Object.fromEntries(
    Object.entries<Document>(properties)
      .filter(([, schema]) => "default" in schema)
      .map(([name, schema]) => [name, schema.default]),
  );
  const push = { name: "Ada", email: "ada@example.com", ...defaults };
  assert.equal(ok(await partner.post("/crm/partner/push", push)).body.source, "Google");
});
