/** The requests whose plans are checked: all requests that the workloads send, and every list. */

import { RECORD_TYPES, recordTypes } from "../src/records/index.ts";
import type { Listing, RecordType } from "../src/records/types/index.ts";
import { leadAt, emailAt, phoneAt, TAGS } from "./leads.ts";
import { sortColumns } from "../src/records/shape/columns.ts";

type Json = Readonly<Record<string, unknown>>;

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly by?: "owner" | "partner";
}

export interface Told {
  // oxlint-disable-next-line typescript/no-explicit-any -- responses of every shape are read
  readonly body: any;
  /** The path of the next page, if there is one. */
  readonly next: string | undefined;
}

/** Sends a request and waits for the whole response. Throws if the request fails. */
export type Ask = (name: string, asked: Asked) => Promise<Told>;

const { lead } = RECORD_TYPES;
const LEADS = "/crm/leads";
/** A phone number that no test lead has. */
const NEW = 9_000_000;
const DEEP_PAGE = 2000;
const WEEKS_ms = 6 * 7 * 86_400_000;

const query = (path: string, parameters: Json): string => {
  const texts = Object.entries(parameters).map(([name, value]): [string, string] => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return `${path}?${new URLSearchParams(texts).toString()}`;
};
const get = (path: string, parameters: Json = {}, by: Asked["by"] = "owner"): Asked => ({
  method: "GET",
  path: query(path, parameters),
  by,
});

const post = (path: string, body: unknown, headers = {}): Asked => ({
  method: "POST",
  path,
  body,
  headers,
});

/** Sends all requests, one after the other. */
export async function sendAll(ask: Ask, rows: number): Promise<void> {
  await sendLoads(ask, rows);
  await sendSummaries(ask);
  await sendWrites(ask);
  await sendLists(ask);
  await sendPartners(ask);
  await sendChanges(ask);
}

/** Requests the lists and time windows of the benchmark's table. */
async function sendLoads(ask: Ask, rows: number): Promise<void> {
  const status = { match_filter_dict: { lead_status: "contacted" }, page_size: 50 };
  await ask("W1", get(LEADS, status));
  const narrow = { lead_status: { $in: ["open", "contacted"] }, lead_source: "Google" };
  await ask("W2", get(LEADS, { match_filter_dict: narrow, page_size: 50 }));
  const deep = Math.min(DEEP_PAGE, Math.floor((rows * 0.2) / 55));
  const { next } = await ask("W3 by page_num", get(LEADS, { ...status, page_num: deep }));
  await ask("W3 by cursor", { method: "GET", path: next ?? "" });
  const { body } = await ask(
    "the window's edge",
    get(LEADS, {
      sort_dict: { created_ts: -1 },
      page_size: 500,
      page_num: Math.min(200, rows / 1000),
    }),
  );
  const start_date = body.leads.at(-1).created_date as string;
  for (const window of ["created", "status_updated"]) {
    await ask(`W7 ${window}, whole`, get(`${LEADS}/${window}`, { start_date }));
    const page = await ask(
      `W7 ${window}, paged`,
      get(`${LEADS}/${window}`, { start_date, page_size: 50 }),
    );
    await ask(`W7 ${window}, by cursor`, { method: "GET", path: page.next ?? "" });
  }
}

/** Requests summaries for charts: one by the values of a field, and one by value and day for the last few weeks. */
async function sendSummaries(ask: Ask): Promise<void> {
  const path = `${LEADS}/summary`;
  for (const group_by of ["lead_status", "lead_source"]) {
    await ask(`summary by ${group_by}`, get(path, { group_by }));
  }
  const start_date = new Date(Date.now() - WEEKS_ms).toISOString();
  const days = { group_by: "lead_source", interval: "day", start_date };
  await ask("summary of some weeks by days", get(path, days));
}

/** Creates, changes and imports records, which also triggers the background work that follows. */
async function sendWrites(ask: Ask): Promise<void> {
  const { body } = await ask("W4", post(LEADS, leadAt(NEW)));
  const path = `${LEADS}/${body._id}`;
  await ask("W4, its id", get(path));
  await ask("W5", { method: "PATCH", path, body: { lead_status: "contacted" } });
  await ask("W5, its history", get(`${path}/history`));
  const key = { "idempotency-key": `plans ${Date.now()}`.replace(" ", "-") };
  await ask("W4 with a key", post(LEADS, leadAt(NEW + 1), key));
  await ask("W4 with a key, again", post(LEADS, leadAt(NEW + 1), key));
  await ask("W4, on_duplicate", post(`${LEADS}?on_duplicate=reject`, leadAt(NEW + 2)));
  const batch = Array.from({ length: 20 }, (_, at) => leadAt(NEW + 10 + at));
  await ask("a batch of 20", post(`${LEADS}/batch`, { items: batch }));
  const by = { method: "PUT", path: `${LEADS}/by/external_id/plans`, body: { name: "Plan" } };
  await ask("put by external_id", by);
  const email = encodeURIComponent(emailAt(NEW + 3));
  await ask("put by email", { ...by, path: `${LEADS}/by/email/${email}` });
  await ask("duplicates", get(`${path}/duplicates`));
  for (const format of ["csv", "ndjson"] as const) await sendImport(ask, format);
}

const cell = (value: unknown): string => `"${String(value ?? "").replaceAll('"', '""')}"`;

async function sendImport(ask: Ask, format: "csv" | "ndjson"): Promise<void> {
  const options = { type: "leads", format, external_id: null };
  const { body } = await ask(`W8 ${format}`, {
    method: "POST",
    path: "/crm/imports",
    body: options,
  });
  const path = `/crm/imports/${body.id}`;
  const inputs = Array.from({ length: 1500 }, (_, at) => leadAt(NEW + 1000 + at));
  const names = ["name", "email", "phone", "source", "status", "comments"];
  const file =
    format === "ndjson"
      ? inputs.map((input) => JSON.stringify(input)).join("\n")
      : [
          names.join(","),
          ...inputs.map((input) => names.map((name) => cell(input[name])).join(",")),
        ].join("\n");
  const headers = { "content-type": format === "csv" ? "text/csv" : "application/x-ndjson" };
  await ask(`W8 ${format}, its file`, { method: "PUT", path: `${path}/data`, body: file, headers });
  await ask(`W8 ${format}, how it went`, get(path));
}

/** Requests each list filtered by each field, and sorted by each sort key in both directions. */
async function sendLists(ask: Ask): Promise<void> {
  for (const type of recordTypes) {
    for (const listing of Object.values(type.lists)) {
      const window =
        listing.windowHours === undefined ? {} : { start_date: "2020-01-01T00:00:00Z" };
      const page = { page_size: 50, ...window };
      const { body } = await ask(listing.path, get(listing.path, page));
      const [record = {}] = recordsIn(body);
      // Skip filtered time windows, because the filtered lists already cover the same filters.
      if (listing.windowHours !== undefined) continue;
      for (const [name, value] of equalitiesOf(type, listing, record)) {
        const filtered = { ...page, match_filter_dict: { [name]: value } };
        await ask(
          `${listing.path}, ${name} = ${JSON.stringify(value)}`,
          get(listing.path, filtered),
        );
      }
      for (const name of sortColumns(type, listing).keys()) {
        for (const direction of [1, -1]) {
          const sorted = await ask(
            `${listing.path}, by ${name} ${direction === 1 ? "↑" : "↓"}`,
            get(listing.path, { ...page, sort_dict: { [name]: direction } }),
          );
          if (sorted.next !== undefined) {
            await ask(`${listing.path}, by ${name}, page 2`, { method: "GET", path: sorted.next });
          }
        }
      }
    }
  }
}

const recordsIn = (body: unknown): readonly Json[] =>
  (Array.isArray(body) ? body : Object.values(body as Json).find(Array.isArray)) as readonly Json[];

/**
 * Returns the values to filter a list by: the values of one record and, for leads, also common, rare and missing
 * values.
 */
function equalitiesOf(
  type: RecordType,
  { filter }: Listing,
  record: Json,
): readonly (readonly [string, unknown])[] {
  const found = filter.map((name): readonly [string, unknown] => {
    const value = record[name];
    const [first] = Array.isArray(value) ? (value as readonly unknown[]) : [value];
    const main = (first as Json | null)?.["email"] ?? (first as Json | null)?.["phone"];
    return [name, main ?? first ?? null];
  });
  if (type !== lead) return found;
  const tags = [TAGS[0], TAGS[20], TAGS[30]].map((tag): readonly [string, unknown] => [
    "tags",
    tag?.[0],
  ]);
  return [
    ...found,
    ...tags,
    ["lead_status", "incorrect"],
    ["lead_status", "unheard-of"],
    ["lead_source", "Billboard Ad"],
    ["name", "Nobody"],
    ["employer_name", null],
    ["email_list", emailAt(7)],
    ["phone_list", phoneAt(7)],
  ];
}

/** Sends requests as a partner, and requests about pushed leads as the partner's tenant. */
async function sendPartners(ask: Ask): Promise<void> {
  const partner = { by: "partner", method: "POST" } as const;
  const lookup = { ...partner, path: "/crm/partner/lookup" };
  await ask("W6", { ...lookup, body: { email: emailAt(4711) } });
  await ask("W6, unknown", { ...lookup, body: { email: "unknown@mail.example.com" } });
  await ask("W6, by phone", { ...lookup, body: { phone: phoneAt(4711) } });
  const source = "Google";
  const push = { ...leadAt(NEW + 5000), source };
  const { name, email } = push as unknown as { name: string; email: string };
  const { body } = await ask("W9", {
    ...partner,
    path: "/crm/partner/push",
    body: { name, email, source },
  });
  await ask("W9, read by its partner", get(`/crm/partner/pushed/${body.id}`, {}, "partner"));
  await ask("partner: pushed", get("/crm/partner/pushed", {}, "partner"));
  for (const status of ["pending", "rejected", "expired"]) {
    await ask(`partner: pushed, ${status}`, get("/crm/partner/pushed", { status }, "partner"));
  }
  for (const list of ["leads", "contacts"]) {
    const page = await ask(`partner: ${list}`, get(`/crm/partner/${list}`, {}, "partner"));
    if (page.next !== undefined) {
      await ask(`partner: ${list}, page 2`, { method: "GET", path: page.next, by: "partner" });
    }
  }
  await ask("partner: analytics", get("/crm/partner/analytics", {}, "partner"));
  const review = "/crm/admin/pushed_leads";
  for (const filter of [
    {},
    { status: "pending" },
    { status: "pending", source },
    { status: "expired" },
    { status: "pending", order: "oldest" },
    { status: "pending", order: "expiring" },
  ]) {
    await ask(`review: ${JSON.stringify(filter)}`, get(review, filter));
  }
  const page = await ask("review: of a partner", get(review, { partner_id: body.partner_id }));
  await ask("review: page 2", { method: "GET", path: page.next ?? "" });
  const queue = { status: "pending", order: "expiring", page_size: 50 };
  const soon = await ask("review: the queue", get(review, queue));
  await ask("review: the queue, page 2", { method: "GET", path: soon.next ?? "" });
  const count = { prefer: "count=exact" };
  await ask("review: counted", { ...get(review, { status: "pending" }), headers: count });
  await ask("review: accept", { method: "POST", path: `${review}/${body.id}/accept` });
  await ask("review: import", { method: "POST", path: `${review}/${body.id}/import` });
}

/** Requests the feed, the audit log, and the lists for administrators. */
async function sendChanges(ask: Ask): Promise<void> {
  const first = await ask("feed: a page", get("/crm/changes"));
  await ask("feed: of leads", get("/crm/changes", { types: "lead", limit: 1000 }));
  await ask(
    "feed: after a cursor",
    get("/crm/changes", { since: first.body.next_since ?? first.body.next }),
  );
  const audit = "/crm/admin/audit";
  const { body, next } = await ask("audit", get(audit));
  await ask("audit: page 2", { method: "GET", path: next ?? "" });
  const [entry] = recordsIn(body) as readonly { subject_id: string; actor: { id: string } }[];
  await ask("audit: of a record", get(audit, { subject_id: entry?.subject_id ?? "" }));
  await ask("audit: of a token", get(audit, { actor_id: entry?.actor.id ?? "" }));
  await ask("audit: of a type", get(audit, { subject_type: "lead" }));
  await ask("audit: of a rare type", get(audit, { subject_type: "partner" }));
  for (const path of [
    "admin/partners",
    "admin/access_tokens",
    "imports",
    "webhooks",
    "admin/deliveries",
  ]) {
    await ask(path, get(`/crm/${path}`));
  }
}
