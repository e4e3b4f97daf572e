/**
 * The physical limit of this stack: node:http and the driver alone, on our own tables with our indexes.
 * Nobody is authenticated, nothing is validated, no change is logged; stored bytes are passed through.
 * Run by bench/main.ts beside the service: `node bench/bare.ts <database-url> <tenant-id> <socket>`.
 */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";
import postgres from "postgres";
import { idSource } from "../src/platform/clock/ids.ts";

const [databaseUrl = "", tenantId = "", socket = ""] = process.argv.slice(2);
const CONNECTIONS = 10;
const BATCH = 1000;
const sql = postgres(databaseUrl, { max: CONNECTIONS, ...(socket && { path: socket }) });
const makeId = idSource({ now_ms: Date.now });
const COMMA = Buffer.from(",");

type Answer = Promise<Buffer | string | undefined>;

const page = (rows: readonly (readonly Buffer[])[]): Buffer => {
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

async function create(request: IncomingMessage): Answer {
  const given = await json(request);
  const [id, now_s] = [makeId(), Math.floor(Date.now() / 1000)];
  const { status = null, source = null, name = null, employer_name = null } = given;
  const { profession = null, title = null, tags = [], email, phone } = given;
  const [emails, phones] = [email ? [String(email).toLowerCase()] : [], phone ? [phone] : []];
  const stamps = { created_ts: now_s, updated_ts: now_s, status_update_date: now_s, version: 1 };
  const body = JSON.stringify({ _id: id, id, ...given, ...stamps });
  await sql`
    insert into leads (tenant_id, id, body, lead_status, lead_source, name, employer_name, profession,
                       title, tags, email_list, phone_list, created_ts, updated_ts, status_update_date, version)
    values (${tenantId}, ${id}, ${body}::text::json, ${status}, ${source}, ${name}, ${employer_name},
            ${profession}, ${title}, ${tags}, ${emails}, ${phones}, ${now_s}, ${now_s}, ${now_s}, 1)`;
  return body;
}

async function update(request: IncomingMessage, id: string): Answer {
  const { status } = await json(request);
  const now_s = Math.floor(Date.now() / 1000);
  const [row] = await sql`
    update leads set lead_status = ${status as never}, updated_ts = ${now_s},
           status_update_date = ${now_s}, version = version + 1,
           body = regexp_replace(regexp_replace(body::text, '"((?:lead_)?status)":"[^"]*"',
                    '"\\1":"' || ${status as never}::text || '"', 'g'),
                    '"version":[0-9]+}', '"version":' || version + 1 || '}')::json
     where tenant_id = ${tenantId} and id = ${id}
    returning body`.raw();
  return row?.[0];
}

/** As the service asks: without `offset 0` it would be planned anew each time. */
const person = (table: string, email: string) => sql`
  (select id, name, created_ts
     from (select id, name, created_ts from ${sql(table)}
            where tenant_id = ${tenantId} and email_list @> array[${email}] offset 0) m
    order by created_ts desc, id desc limit 1)`;

async function lookUp(request: IncomingMessage): Answer {
  const email = String((await json(request))["email"]).toLowerCase();
  const [row] = await sql`${person("leads", email)} union all ${person("contacts", email)}`;
  return JSON.stringify({ exists: row !== undefined, name: row?.["name"] ?? null });
}

async function push(request: IncomingMessage): Answer {
  const given = await json(request);
  const { name, email, phone = null, source, partner_id } = given;
  const [id, now_s] = [makeId(), Math.floor(Date.now() / 1000)];
  await sql`
    insert into pushed_leads (tenant_id, id, partner_id, name, email, phone, source, email_key, phone_key,
                              status, possible_duplicate, submitted_ts)
    values (${tenantId}, ${id}, ${partner_id as never}, ${name as never}, ${email as never}, ${phone},
            ${source as never}, ${String(email).toLowerCase()}, ${phone}, 'pending', false, ${now_s})`;
  return JSON.stringify({ lead_id: id, status: "pending" });
}

/** A window, batch after batch by key, joined by the database as the service has it joined. */
async function* windowOf(from: number): AsyncGenerator<Buffer> {
  let [ts, id] = [Number.MAX_SAFE_INTEGER, ""];
  yield Buffer.from("[");
  for (let isFirst = true; ; isFirst = false) {
    const [row] = await sql`
      select count(*), string_agg(b.body::text, ','), (array_agg(b.created_ts))[count(*)],
             (array_agg(b.id))[count(*)]
        from (select body, created_ts, id from leads
               where tenant_id = ${tenantId} and created_ts >= ${from}
                 and (created_ts, id) < (${ts}, ${id})
               order by created_ts desc, id desc limit ${BATCH}) b`.raw();
    const [count, bodies, last_ts, last_id] = row as unknown as readonly Buffer[];
    if (bodies !== null && bodies !== undefined) {
      if (!isFirst) yield COMMA;
      yield bodies;
    }
    if (Number(String(count)) < BATCH) break;
    [ts, id] = [Number(String(last_ts)), String(last_id)];
  }
  yield Buffer.from("]");
}

const listed = async (query: URLSearchParams, offset: number): Answer => {
  const [statuses, source] = [query.getAll("status"), query.get("source")];
  const of =
    source === null
      ? sql`lead_status = ${statuses[0] ?? null}`
      : sql`lead_status = any(${statuses}) and lead_source = ${source}`;
  const rows = await sql`
    select body, id from leads where tenant_id = ${tenantId} and ${of}
     order by id desc limit 51 ${offset > 0 ? sql`offset ${offset}` : sql``}`.raw();
  return page(rows);
};

/** A file of rows as PostgreSQL copies them. */
async function copy(request: IncomingMessage): Answer {
  await pipeline(request, await sql`copy leads from stdin`.writable());
  return "{}";
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://127.0.0.1");
  const [, what, id = ""] = pathname.split("/");
  response.setHeader("content-type", "application/json");
  if (what === "window") return pipeline(windowOf(Number(searchParams.get("from"))), response);
  const answers: Readonly<Record<string, () => Answer>> = {
    list: () => listed(searchParams, Number(searchParams.get("offset") ?? 0)),
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
