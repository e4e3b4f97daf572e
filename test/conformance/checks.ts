/**
 * Helpers for creating, reading and checking records over HTTP. They allow most conformance tests
 * to be written as tables.
 */
import assert from "node:assert/strict";
import type { Fields, TypeCase } from "./cases.ts";

// oxlint-disable-next-line no-explicit-any -- the tests check the shape of responses
export type Row = Record<string, any>;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body?: unknown;
  readonly text: string;
}

/** The part of the test client that the checks use. */
export interface Client {
  get(path: string, query?: Fields): Promise<Reply>;
  post(path: string, body?: unknown): Promise<Reply>;
  patch(path: string, body?: unknown): Promise<Reply>;
}

/** One entry of an HTTPValidationError. Omitted members are not compared. */
export interface Fault {
  readonly type?: string;
  readonly loc: readonly (string | number)[];
  readonly msg?: string;
  readonly input?: unknown;
  readonly ctx?: Fields;
}

let counter = 0;
/** Returns a different string for each call, for values that must be unique. */
export const fresh = (stem: string): string => `${stem}-${++counter}`;

/** Returns the object in the response, which must be a 200. */
export function recordOf(reply: Reply): Row {
  assert.equal(reply.status, 200, reply.text);
  return reply.body as Row;
}

/** Returns the records in the response: a bare array, or the list inside the envelope of leads and tasks. */
export function rowsOf(reply: Reply): Row[] {
  assert.equal(reply.status, 200, reply.text);
  const { body } = reply;
  if (Array.isArray(body)) return body as Row[];
  const { leads, tasks } = body as Row;
  return (leads ?? tasks) as Row[];
}

export const idsOf = (reply: Reply): string[] => rowsOf(reply).map(({ _id }) => _id as string);

/** Returns the smallest body for creating a record, including the account that it needs. */
export async function smallest(client: Client, type: TypeCase): Promise<Fields> {
  const body: Fields = { ...type.smallest };
  if (type.needsAccount) {
    body["account_id"] = recordOf(await client.post("/crm/accounts", { name: "Payer" }))["_id"];
  }
  if (type.name === "invoice") body["invoice_num"] = fresh("INV");
  return body;
}

/** Creates a record of the type and returns it. */
export async function create(client: Client, type: TypeCase, fields: Fields = {}): Promise<Row> {
  return recordOf(await client.post(type.write, { ...(await smallest(client, type)), ...fields }));
}

/** Changes a record and returns it. */
export async function change(client: Client, type: TypeCase, id: string, fields: Fields) {
  return recordOf(await client.patch(`${type.write}/${id}`, fields));
}

export async function read(client: Client, type: TypeCase, id: string): Promise<Row> {
  return recordOf(await client.get(`${type.list}/${id}`));
}

/** Asserts that the request returned 422 with exactly these problems, in this order. */
export function assertInvalid(reply: Reply, ...faults: Fault[]): void {
  assert.equal(reply.status, 422, reply.text);
  const { detail } = reply.body as { detail: Row[] };
  assert.ok(Array.isArray(detail), reply.text);
  assert.deepEqual(
    detail.map(({ loc }) => loc),
    faults.map(({ loc }) => loc),
  );
  for (const [at, fault] of faults.entries()) {
    assert.deepEqual({ ...detail[at], ...fault }, detail[at]);
  }
}

/** Asserts that the request returned 422 with problems only at or below this location. */
export function assertBlames(reply: Reply, ...loc: (string | number)[]): void {
  assert.equal(reply.status, 422, reply.text);
  const { detail } = reply.body as { detail: Row[] };
  assert.ok(detail.length > 0);
  for (const fault of detail) {
    assert.deepEqual(fault["loc"].slice(0, loc.length), loc, reply.text);
    assert.equal(typeof fault["type"], "string");
    assert.equal(typeof fault["msg"], "string");
  }
}

/** Asserts that the response is an error with a sentence in `detail`, and returns that sentence. */
export function assertRefused(reply: Reply, status: number): string {
  assert.equal(reply.status, status, reply.text);
  const { detail } = reply.body as Row;
  assert.equal(typeof detail, "string");
  assert.notEqual(detail, "");
  return detail as string;
}

/** Formats enum values as error messages list them: 'a', 'b' or 'c'. */
export function spelled(values: readonly string[]): string {
  const quoted = values.map((value) => `'${value}'`);
  return `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
}

export const now = (): number => Math.floor(Date.now() / 1000);
export const iso = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace(".000Z", "Z");

/** Asserts that a field accepts each of these values in create and update requests, and rejects any other value. */
export async function assertEnum(
  client: Client,
  type: TypeCase,
  field: string,
  values: readonly string[],
  patchable = true,
): Promise<void> {
  const first = await create(client, type);
  for (const value of values) {
    const made = await create(client, type, { [field]: value });
    assert.equal(made[field], value);
    if (!patchable) continue;
    const changed = await change(client, type, first["_id"], { [field]: value });
    assert.equal(changed[field], value);
  }
  const refused = { type: "enum", loc: ["body", field], input: "zzz" };
  const msg = `Input should be ${spelled(values)}`;
  const reply = await client.post(type.write, {
    ...(await smallest(client, type)),
    [field]: "zzz",
  });
  assertInvalid(reply, { ...refused, msg, ctx: { expected: spelled(values) } });
}

/** Asserts that a text field accepts `max` characters, and no more. */
export async function assertLongest(client: Client, type: TypeCase, field: string, max: number) {
  const body = { ...(await smallest(client, type)), [field]: "é".repeat(max) };
  assert.equal(recordOf(await client.post(type.write, body))[field], body[field]);
  if (type.name === "invoice") Object.assign(body, { invoice_num: fresh("INV") });
  const reply = await client.post(type.write, { ...body, [field]: "é".repeat(max + 1) });
  assertInvalid(reply, {
    type: "string_too_long",
    loc: ["body", field],
    msg: `String should have at most ${max} characters`,
    ctx: { max_length: max },
  });
}
