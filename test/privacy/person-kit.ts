/** A person who is stored everywhere, and a search through all stored data. */

import { spawnSync } from "node:child_process";
import type { Api, Client } from "../kit/api.ts";
import { eventually } from "../kit/eventually.ts";
import { ok, type Body } from "../api/samples.ts";
import type { Receiver } from "../delivery/receiver.ts";
import { partnerOf } from "../exchange/partner-kit.ts";
import { importFile } from "../files/imports/sending.ts";
import type { TestSql } from "../kit/sql.ts";

/** No other person in the tests has these values, except for the phone number in `SHARED`. */
export const JANE = {
  name: "Zelda Quimbywick",
  email: "Zelda.Quimbywick@Example.org",
  phone: "(415) 555-0187",
} as const;
/** A number that belongs only to Jane. */
const OWN_PHONE = "(628) 555-0142";
/** Spellings of the values that identify only Jane. Matched regardless of case. */
export const SPELLINGS = [
  "quimbywick",
  "zelda",
  "123-45-6789",
  "6285550142",
  "628) 555-0142",
  "628-555-0142",
  "555-0142",
  "555 0142",
] as const;
/** Formats of Jane's number that also match another lead's number. */
export const SHARED = ["4155550187", "(415) 555-0187", "555-0187"] as const;

export const OTHER = { name: "Bob Bystander", email: "bob@example.org" } as const;

/** Jane's lead, as sent to the API. */
export const LEAD = {
  ...JANE,
  source: "Google",
  comments: `${JANE.name} likes tea`,
  ssn: "123-45-6789",
  phone_list: [OWN_PHONE],
  external_id: "zelda-1",
  employer_name: "Quimbywick & Daughters",
  profession: "Quimbywick",
  title: "Mrs. Quimbywick",
  tags: ["zelda"],
} as const;

const KEYED = { "content-type": "application/json" } as const;

/** Sends a create request with an Idempotency-Key, so that its response is stored. */
const keyed = (client: Client, path: string, body: Body, key: string) =>
  client.request({
    method: "POST",
    path,
    headers: { ...KEYED, "idempotency-key": key },
    body: JSON.stringify(body),
  });

/** Stores Jane as a lead, contact, pushed lead, rejected row and merged copy, and in records that refer to her. */
export async function storePerson(api: Api, client: Client, receiver: Receiver) {
  // The receiver echoes what it received, so that stored responses also mention Jane.
  receiver.respond = (response, { body }) =>
    void response
      .writeHead(200, body.includes(JANE.name) ? { "x-person": JANE.name } : {})
      .end(body);
  ok(await client.post("/crm/webhooks", { url: `${receiver.url}/events`, events: ["*"] }));
  const partner = await partnerOf(client, { allowed_marketing_sources: ["Google"] });
  const account = ok(
    await client.post("/crm/accounts", {
      name: "Acme Ltd",
      email: JANE.email,
      phone: JANE.phone,
      email_list: ["info@acme.example"],
      description: `Write to ${JANE.email} first.`,
    }),
  ).body;
  const lead = ok(await keyed(client, "/crm/leads", LEAD, "first")).body;
  ok(
    await client.patch(`/crm/leads/${lead._id}`, {
      comments: `Call ${JANE.name} at +1 628-555-0142`,
    }),
  );
  const twin = ok(
    await client.post("/crm/leads", {
      ...JANE,
      title: "Queen",
      external_id: "zelda-2",
      business_need_description: `${JANE.name} needs tea`,
    }),
  ).body;
  ok(await client.post(`/crm/leads/${lead._id}/merge`, { ids: [twin._id] }));
  const converted = ok(
    await keyed(client, `/crm/leads/${lead._id}/convert`, {}, JANE.email.toLowerCase()),
  ).body;
  const contactId = converted.contact_id as string;
  ok(await client.patch(`/crm/contacts/${contactId}`, { external_id: "zelda-3" }));
  const deal = ok(
    await client.post("/crm/opportunities", {
      name: "Big deal",
      contact_id: contactId,
      stage: "closed_won",
      value_of_sale: 1000,
    }),
  ).body;
  const invoice = ok(
    await client.post("/crm/invoices", {
      invoice_num: "R-1",
      account_id: account._id,
      contact_id: contactId,
      total_amount: 1000,
      invoice_line_list: [{ description: "Tea", amount: 1000 }],
    }),
  ).body;
  const order = ok(await client.post("/crm/orders", { contact_id: contactId })).body;
  const task = ok(
    await client.post("/crm/tasks", {
      name: `Call ${JANE.name}`,
      subject_type: "contact",
      subject: contactId,
    }),
  ).body;
  const other = ok(await client.post("/crm/leads", { ...OTHER, phone: JANE.phone })).body;
  const noted = ok(
    await client.post("/crm/accounts", { name: "Noted", description: `Knows ${JANE.name} well` }),
  ).body;
  const formerly = ok(
    await client.post("/crm/leads", { name: "Formerly", email: JANE.email }),
  ).body;
  ok(await client.patch(`/crm/leads/${formerly._id}`, { email: "formerly@example.org" }));
  const push = { ...JANE, comments: `${JANE.name} asked`, description: JANE.email };
  const match_preferences = { likes: "Quimbywick" };
  const rejected = ok(await partner.post("/crm/partner/push", { ...push, match_preferences })).body;
  const reason = `We know ${JANE.name}`;
  ok(await client.post(`/crm/admin/pushed_leads/${rejected.id}/reject`, { reason }));
  const pushed = ok(await partner.post("/crm/partner/push", push)).body;
  const file = `name,email,status\n${JANE.name},${JANE.email},no such status\n`;
  await importFile(client, "lead", file, { strict: true });
  const unknown = `name,email,status\n${JANE.name},${JANE.email},${JANE.name}\n`;
  await importFile(client, "lead", unknown, { dry_run: true });
  // Wait until every event has been queued and sent.
  await eventually(
    () => api.sql`
      select from event_webhooks w
       where w.tenant_id = ${client.tenantId} and w.enabled
         and exists (select from changes c
                      where c.tenant_id = w.tenant_id and c.subject_type = any(w.subject_types)
                        and c.seq > w.position)
       union all
      select from deliveries where tenant_id = ${client.tenantId} and status = 'pending'`,
    ({ count }) => count === 0,
  );
  return {
    partner,
    lead: lead._id as string,
    twin: twin._id as string,
    contact: contactId,
    account: account._id as string,
    deal: deal._id as string,
    invoice: invoice._id as string,
    order: order._id as string,
    task: task._id as string,
    other: other._id as string,
    noted: noted._id as string,
    formerly: formerly._id as string,
    pushed: pushed.id as string,
    rejected: rejected.id as string,
  };
}

export type Stored = Awaited<ReturnType<typeof storePerson>>;

/** Returns a tenant's columns that contain any of these texts, each as `table.column (rows)`. */
export async function occurrencesOf(
  sql: TestSql,
  tenantId: string,
  texts: readonly string[],
): Promise<readonly string[]> {
  const columns = await sql<{ table: string; name: string; type: string }[]>`
    select c.oid::regclass::text as table, a.attname as name, a.atttypid::regtype::text as type
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relkind in ('r', 'p') and n.nspname in ('public', 'pgboss')`;
  const found: string[] = [];
  for (const { table, name, type } of columns) {
    const hasTenant = columns.some((one) => one.table === table && one.name === "tenant_id");
    const text =
      type === "bytea"
        ? `encode("${name}", 'escape') || ' ' || encode("${name}", 'hex')`
        : `"${name}"::text`;
    const [row] = await sql.unsafe(
      `select count(*)::int as count from ${table}
        where lower(${text}) like any($1::text[]) ${hasTenant ? "and tenant_id = $2::uuid" : "and $2::text is not null"}`,
      [texts.map((one) => `%${one.toLowerCase()}%`) as never, tenantId],
    );
    if (row?.["count"] > 0) found.push(`${table}.${name} (${row?.["count"]})`);
  }
  return found;
}

/**
 * Returns the files below a folder that contain a pattern, regardless of case. The exit code of grep is ignored,
 * because a file may be removed while grep is running.
 */
export function filesContaining(pattern: string, folder: string): readonly string[] {
  const args = ["-rlaisE", pattern, folder];
  const { stdout, error } = spawnSync("grep", args, { encoding: "utf8", maxBuffer: 1e8 });
  if (error !== undefined) throw error;
  return stdout.trim().split("\n").filter(Boolean);
}
