/**
 * The fastest server that this stack allows: it uses only node:http and the PostgreSQL driver, with the same tables and
 * response bytes as the service. It authenticates no one and validates nothing. As in the service, each write also logs
 * the change. arena.ts starts it: `node bare.ts <database-url> <tenant-id>` prints its port.
 */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";
import { idSource } from "../../src/platform/ids/ids.ts";
import { openDatabase, type RawRow } from "../service/database.ts";
import {
  CREATE,
  FIND,
  LINES,
  LIST,
  LOOK_UP,
  PAGE,
  PUSH,
  UPDATE,
  WINDOW,
} from "./bare-statements.ts";

const [databaseUrl = "", tenantId = ""] = process.argv.slice(2);
const CONNECTIONS = 10;
/** The number of rows to fetch from a cursor per round trip. */
const FETCHED = 500;
/** Each statement has a fixed text and is planned only once, as with `pgbench -M prepared`. */
const database = openDatabase(databaseUrl, CONNECTIONS, { plan_cache_mode: "force_generic_plan" });
const makeId = idSource({ now_ms: Date.now });
const COMMA = Buffer.from(",");

type Answer = Promise<Buffer | string | undefined>;

const page = (rows: readonly RawRow[]): Buffer => {
  const parts: Buffer[] = [Buffer.from('{"leads":[')];
  for (const [body] of rows.slice(0, 50)) {
    if (parts.length > 1) parts.push(COMMA);
    parts.push(body as Buffer);
  }
  parts.push(Buffer.from('],"page_size":50,"page_num":1}'));
  return Buffer.concat(parts);
};

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const json = async (request: IncomingMessage) =>
  JSON.parse((await readAll(request)).toString("utf8")) as Record<string, never>;

/** A stored lead, used as a template so that created leads have the same members and size. */
const [{ body: template } = { body: {} }] = await database.query<{ readonly body: object }>(
  "select body from leads where tenant_id = $1 limit 1",
  [tenantId],
);

const BLANK = Object.fromEntries(
  Object.entries(template).map(([name, value]) => [name, Array.isArray(value) ? [] : null]),
);

/** Runs a statement. Its first parameter is the tenant's id. */
const ask = (text: string, ...values: readonly unknown[]) =>
  database.rawRows(text, [tenantId, ...values]);

/** Runs a statement that writes a record and logs the change. */
const write = (text: string, [action, fields]: readonly [string, object], ...values: unknown[]) =>
  ask(text, makeId(), action, JSON.stringify(fields), ...values);

async function create(request: IncomingMessage): Answer {
  const given = await json(request);
  const id = makeId();
  const now_s = Math.floor(Date.now() / 1000);
  const { status = null, source = null, name = null, employer_name = null } = given;
  const { profession = null, title = null, tags = [], email, phone } = given;
  const emails = email ? [String(email).toLowerCase()] : [];
  const phones = phone ? [phone] : [];
  const stored = {
    ...BLANK,
    _id: id,
    id,
    ...given,
    lead_status: status,
    lead_source: source,
    email_list: emails.map((one) => ({ email: one, type: "primary" })),
    phone_list: phones.map((one) => ({ phone: one, type: "primary" })),
    created_ts: now_s,
    updated_ts: now_s,
    status_update_date: now_s,
    version: 1,
  };
  const body = JSON.stringify(stored);
  const fields = Object.fromEntries(
    Object.entries(given).map(([field, value]) => [field, [null, value]]),
  );
  const columns = [status, source, name, employer_name, profession, title, tags, emails, phones];
  await write(CREATE, ["created", fields], id, body, ...columns, now_s);
  return body;
}

async function update(request: IncomingMessage, id: string): Answer {
  const { status } = await json(request);
  const now_s = Math.floor(Date.now() / 1000);
  const fields = { status: ["open", status] };
  const [row] = await write(UPDATE, ["updated", fields], id, status, now_s);
  return row?.[0];
}

async function lookUp(request: IncomingMessage): Answer {
  const email = String((await json(request))["email"]).toLowerCase();
  const [row] = await ask(LOOK_UP, email);
  return JSON.stringify({ exists: row !== undefined, name: row?.[1]?.toString("utf8") ?? null });
}

async function push(request: IncomingMessage): Answer {
  const given = await json(request);
  const { name, email, phone = null, source, partner_id } = given;
  const id = makeId();
  const now_s = Math.floor(Date.now() / 1000);
  const fields = { name: [null, name], email: [null, email], source: [null, source] };
  const key = String(email).toLowerCase();
  await write(PUSH, ["pushed", fields], id, partner_id, name, email, phone, source, key, now_s);
  return JSON.stringify({ lead_id: id, status: "pending" });
}

/**
 * Streams bodies between `open` and `close`, separated by `between`. A cursor reads them, so the query is planned once
 * and the index is scanned once.
 */
async function* bodiesOf(
  text: string,
  values: readonly unknown[],
  [open, between, close]: readonly string[],
): AsyncGenerator<Buffer | string> {
  yield open ?? "";
  let isFirst = true;
  for await (const rows of database.batches(text, [tenantId, ...values], FETCHED)) {
    const parts: Buffer[] = [];
    for (const [body] of rows) {
      if (!isFirst) parts.push(Buffer.from(between ?? ""));
      isFirst = false;
      parts.push(body as Buffer);
    }
    yield Buffer.concat(parts);
  }
  yield close ?? "";
}

const listed = async (query: URLSearchParams): Answer => {
  const statuses = query.getAll("status");
  const source = query.get("source");
  const after = query.get("after");
  const offset = Number(query.get("offset") ?? 0);
  const of = source === null ? "lead_status = $2" : "lead_status = any($2) and lead_source = $3";
  const values: unknown[] = source === null ? [statuses[0]] : [statuses, source];
  const added = (value: unknown): string => `$${values.push(value) + 1}`;
  if (query.has("count")) {
    await ask(`select count(*) from leads where tenant_id = $1 and ${of}`, ...values);
  }
  if (source === null && after === null && offset === 0) return page(await ask(LIST, ...values));
  const where = after === null ? of : `${of} and id < ${added(after)}`;
  const skip = offset > 0 ? `offset ${added(offset)}` : "";
  return page(
    await ask(
      `select body, id from leads where tenant_id = $1 and ${where} ${PAGE} ${skip}`,
      ...values,
    ),
  );
};

const found = async (email: string): Answer => page(await ask(FIND, email.toLowerCase()));

/** Inserts a file of rows in PostgreSQL's COPY format. */
async function copy(request: IncomingMessage): Answer {
  await pipeline(request, await database.copyIn("copy leads from stdin"));
  return "{}";
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://127.0.0.1");
  const [, what, id = ""] = pathname.split("/");
  response.setHeader("content-type", "application/json");
  const from = Number(searchParams.get("from"));
  const to = Number(searchParams.get("to") ?? Number.MAX_SAFE_INTEGER);
  if (what === "window") return pipeline(bodiesOf(WINDOW, [from, to], ["[", ",", "]"]), response);
  if (what === "lines") return pipeline(bodiesOf(LINES, [from], ["", "\n", "\n"]), response);
  const answers: Readonly<Record<string, () => Answer>> = {
    list: () => listed(searchParams),
    find: () => found(searchParams.get("email") ?? ""),
    create: () => create(request),
    update: () => update(request, id),
    lookup: () => lookUp(request),
    push: () => push(request),
    copy: () => copy(request),
  };
  const body = (await answers[what ?? ""]?.()) ?? "null";
  response.setHeader("content-length", Buffer.byteLength(body));
  response.end(body);
}

const server = createServer((request, response) => {
  respond(request, response).catch((error: unknown) => {
    console.error(error);
    response.statusCode = 500;
    response.end(String(error));
  });
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
