/**
 * Every operation in openapi.json that accepts `fields`: it returns only the requested members, with the same values
 * as without `fields`.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer, Client } from "../../kit/api.ts";
import { sharedApi } from "../../kit/file-api.ts";
import { parseRfc4180 } from "../../kit/rfc4180.ts";
import { BUILT_IN_TYPES } from "../../../src/records/types/index.ts";
import { changesIn, openStream, readPage } from "../../events/feed-kit.ts";
import { oneOfEach } from "../one-of-each.ts";
import { type Document, readDocument, resolved } from "../operations.ts";
import { nextOf } from "./sorting.ts";
import { type Body, fullBody, makeReferable, ok, partialBody } from "../samples.ts";
import { eventually } from "../../kit/eventually.ts";
import { file } from "../../kit/started.ts";

const api = await sharedApi();
const acme = await api.tenant();
const document = await readDocument(acme);
const { partner } = await oneOfEach(acme, document);
const refs = await makeReferable(acme);
for (const type of Object.values(BUILT_IN_TYPES)) {
  for (let seed = 4; seed < 9; seed++) {
    const made = seed === 4 ? fullBody(type, seed, refs) : partialBody(type, seed, refs);
    ok(await acme.post(type.writePath, { ...made, external_id: `fields ${seed}` }));
  }
}
ok(await partner.post("/crm/partner/push", { name: "Also pushed", phone: "+4930901820" }));
for (const person of ["leads", "contacts"]) {
  ok(await acme.post(`/crm/${person}`, { name: "Visible", source: "Google", ssn: "123-45-6789" }));
}

interface Choosing {
  readonly path: string;
  readonly client: Pick<Client, "get">;
  /** The member names that `fields` accepts. */
  readonly names: readonly string[];
}

const ALWAYS: readonly string[] = ["_id", "id", "version"];
const MAX = 50;
const STREAM = "/crm/changes/stream";

/** Returns the member names of the items in an operation's list. */
function namesOf({ responses }: Document, path: string): readonly string[] {
  if (path.endsWith("/export")) {
    const type = Object.values(BUILT_IN_TYPES).find(({ table }) => path.includes(`/${table}/`));
    const name = `${type?.schemaName}Response`;
    return Object.keys(document.components.schemas[name].properties);
  }
  if (path.startsWith("/crm/changes")) {
    return Object.keys(document.components.schemas.FeedChange.properties);
  }
  const { schema } = responses["200"].content["application/json"];
  const { properties, items } = resolved(document, schema);
  const list = Object.values<Document>(properties ?? {}).find((member) => member.type === "array");
  return Object.keys(resolved(document, items ?? list.items).properties);
}

const operations: readonly Choosing[] = Object.entries<Document>(document.paths).flatMap(
  ([path, { get }]) => {
    const takes = get?.parameters?.some((parameter: Document) => parameter.name === "fields");
    if (takes !== true) return [];
    const isPartners = get.security.some((needed: object) => "PartnerToken" in needed);
    return [{ path, client: isPartners ? partner : acme, names: namesOf(get, path) }];
  },
);

const isExport = ({ path }: Choosing) => path.endsWith("/export");

/** Returns the items of a list response, whatever its format. */
function listed(response: Answer): readonly Body[] {
  ok(response);
  const { headers, text, body } = response;
  const type = headers.get("content-type") ?? "";
  const lines = text.split("\n").filter((line) => line !== "");
  if (type.startsWith("application/x-ndjson")) return lines.map((line) => JSON.parse(line));
  if (Array.isArray(body)) return body;
  return Object.values<Body[]>(body).find(Array.isArray) ?? [];
}

const queryOf = (operation: Choosing): Body => ({
  ...(isExport(operation) && { format: "ndjson" }),
  ...(operation.path === "/crm/changes" && { limit: 500 }),
});

const read = async (operation: Choosing, query: Body = {}): Promise<readonly Body[]> =>
  listed(await operation.client.get(operation.path, { ...queryOf(operation), ...query }));

const chosen = (record: Body, names: readonly string[]): Body =>
  Object.fromEntries(
    Object.entries(record).filter(([name]) => names.includes(name) || ALWAYS.includes(name)),
  );

/** Splits names into chunks, so that only a few are requested at a time. */
const chunksOf = (names: readonly string[], size: number): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(names.length / size) }, (_, at) =>
    names.slice(at * size, (at + 1) * size),
  );

/** Compares the stream with the change feed, because the stream never ends and cannot be read as a whole. */
async function assertStreams(names: readonly string[]): Promise<void> {
  const [{ cursor } = { cursor: "" }, ...expected] = (await readPage(acme, { limit: 500 })).changes;
  for (const name of names) {
    const stream = await openStream(file, acme, { query: `?since=${cursor}&fields=${name}` });
    await eventually(() => changesIn(stream).length === expected.length);
    stream.cut();
    assert.deepEqual(
      changesIn(stream),
      expected.map((change) => chosen({ ...change }, [name])),
    );
    const ids = stream.events.filter(({ event }) => event === "change").map(({ id }) => id);
    assert.deepEqual(
      ids,
      expected.map((change) => change.cursor),
    );
  }
}

test("lists, windows, exports, the feed and its stream take `fields`", () => {
  const lists = Object.values(BUILT_IN_TYPES).flatMap(({ lists }) =>
    Object.values(lists).map(({ path }) => path),
  );
  const others = ["/crm/changes", STREAM, "/crm/admin/pushed_leads"];
  const partners = ["leads", "contacts", "pushed"].map((name) => `/crm/partner/${name}`);
  const exports = Object.values(BUILT_IN_TYPES).map(({ table }) => `/crm/${table}/export`);
  assert.deepEqual(
    operations.map(({ path }) => path).toSorted(),
    [...lists, ...exports, ...others, ...partners].toSorted(),
  );
});

for (const operation of operations) {
  const { path, client, names } = operation;

  test(`${path} returns only the named members, as they are without \`fields\``, async () => {
    if (path === STREAM) return assertStreams(names);
    const whole = await read(operation);
    assert.ok(whole.length > 0);
    assert.ok(names.length > 1);
    const choices = [...names.map((name) => [name]), ...chunksOf(names, 4), names.slice(0, MAX)];
    for (const choice of choices) {
      const found = await read(operation, { fields: choice.join(",") });
      const expected = whole.map((record) => chosen(record, choice));
      assert.deepEqual(found, expected, choice.join(","));
    }
  });

  test(`${path} rejects unknown fields, and too many`, async () => {
    const [known = ""] = names;
    for (const [fields, input] of [
      ["no_such_member", "no_such_member"],
      [`${known},body`, "body"],
      [`${known},`, ""],
      [`${known},${known.toUpperCase()}`, known.toUpperCase()],
      ["__proto__", "__proto__"],
    ]) {
      const { status, body } = await client.get(path, { ...queryOf(operation), fields });
      assert.equal(status, 422);
      const [{ type, loc, input: given, ctx }] = body.detail;
      assert.deepEqual([type, loc, given], ["enum", ["query", "fields"], input]);
      for (const name of names) assert.ok(ctx.expected.includes(`'${name}'`), name);
    }
    const many = Array.from({ length: MAX + 1 }, (_, at) => `field_${at}`).join(",");
    const { status, body } = await client.get(path, { ...queryOf(operation), fields: many });
    assert.equal(status, 422);
    assert.deepEqual([body.detail[0].type, body.detail[0].ctx.max_length], ["too_long", MAX]);
  });
}

for (const operation of operations.filter(({ path }) => !/changes|export/.test(path))) {
  const { path, client, names } = operation;
  const first = names.find((name) => !ALWAYS.includes(name)) ?? "";
  const second = names.findLast((name) => !ALWAYS.includes(name)) ?? "";

  test(`a cursor of ${path} is valid only for its fields, in any order`, async () => {
    const fields = `${first},${second}`;
    const whole = await read(operation, { page_size: 2 });
    const page = await client.get(path, { page_size: 1, fields });
    assert.equal(listed(page).length, 1);
    const next = nextOf(page.headers) ?? "";
    const following = listed(await client.get(next));
    const [, expected = {}] = whole;
    assert.deepEqual(following, [chosen(expected, [first, second])]);
    const url = new URL(next, api.url);
    const resume = async (value: string | undefined) => {
      const query = new URLSearchParams(url.searchParams);
      if (value === undefined) query.delete("fields");
      else query.set("fields", value);
      return client.get(`${url.pathname}?${query.toString()}`);
    };
    assert.deepEqual(listed(await resume(` ${second} , ${first},${first}`)), following);
    for (const other of [undefined, first]) {
      const { status, body } = await resume(other);
      assert.equal(status, 422);
      assert.deepEqual(body.detail[0].loc, ["query", "cursor"]);
    }
  });
}

for (const operation of operations.filter(isExport)) {
  test(`${operation.path} writes only the columns of the named members as CSV`, async () => {
    const { path, client } = operation;
    const tableOf = async (fields?: string) =>
      parseRfc4180(ok(await client.get(path, { format: "csv", fields })).text);
    const [head = [], ...rows] = await tableOf();
    const columns = head.flatMap((name, at) =>
      ["created_ts", ...ALWAYS].includes(name) ? [at] : [],
    );
    assert.ok(columns.length >= 2);
    assert.ok(rows.length > 5);
    assert.deepEqual(
      await tableOf("created_ts"),
      [head, ...rows].map((row) => columns.map((at) => row[at])),
    );
  });
}

test("a masked field stays masked, and a partner cannot name what it may not see", async () => {
  for (const table of ["leads", "contacts"]) {
    const found = await read({ path: `/crm/${table}`, client: acme, names: [] }, { fields: "ssn" });
    const masked = found.map(({ ssn }) => String(ssn)).filter((ssn) => ssn !== "null");
    assert.ok(masked.includes("***-**-6789"));
    for (const ssn of masked) assert.match(ssn, /^\*{3}-\*{2}-\d{4}$/);
    for (const hidden of ["ssn", "comments"]) {
      const { status, body } = await partner.get(`/crm/partner/${table}`, { fields: hidden });
      assert.equal(status, 422);
      assert.equal(body.detail[0].input, hidden);
      assert.ok(!body.detail[0].ctx.expected.includes(hidden));
    }
  }
});
