/** Measures how long it takes partners and reviewers to read counts, earnings, leads, contacts and pushed leads. */

import type { Db } from "../src/platform/database/tx.ts";
import { callsOf, oneByOne, ownerCalls, type Calls } from "./exchange-calls.ts";
import { openFolder, writerOf, type ExchangeFilling } from "./exchange-fill.ts";
import { head, row, spread } from "./exchange-table.ts";
import { median, type Service } from "./service.ts";

const ANALYTICS_BAR_ms = 50;
const PAGE_SIZE = 50;
const YEAR_AGO = new Date(Date.now() - 365 * 86_400_000).toISOString().slice(0, 10);

/** Prints how long it takes to read counts and earnings. Returns whether all targets are met. */
export async function measureAnalytics(
  service: Service,
  { partners }: ExchangeFilling,
  times: number,
): Promise<boolean> {
  head(
    `Analytics over HTTP (target: median < ${ANALYTICS_BAR_ms} ms)`,
    "analytics for",
    "pushed leads",
    "median, ms",
    "p99, ms",
    "requests",
  );
  const owner = ownerCalls(service);
  const [first] = partners;
  if (first === undefined) throw new Error("There are no partners");
  const partner = await callsOf(service, first);
  const asked: readonly (readonly [string, Calls, string])[] = [
    ["a partner's own leads", partner, "/crm/partner/analytics"],
    ["a partner's own leads, past year", partner, `/crm/partner/analytics?start_date=${YEAR_AGO}`],
    ["leads from all partners", owner, "/crm/admin/analytics"],
    ["leads from all partners, past year", owner, `/crm/admin/analytics?start_date=${YEAR_AGO}`],
    ["leads from one partner", owner, `/crm/admin/analytics?partner_id=${first.id}`],
  ];
  const isMet: boolean[] = [];
  try {
    for (const [name, calls, path] of asked) {
      const answers = await oneByOne(times, () => calls.get(path));
      const took_ms = answers.map((answer) => answer.took_ms);
      const body = answers[0]?.body.toString("utf8") ?? "{}";
      const { total_pushed } = JSON.parse(body) as { total_pushed: number };
      row([name, total_pushed.toLocaleString("en"), ...spread(took_ms, ANALYTICS_BAR_ms), times]);
      isMet.push(median(took_ms) < ANALYTICS_BAR_ms);
    }
  } finally {
    owner.close();
    partner.close();
  }
  return isMet.every(Boolean);
}

interface Listed {
  readonly name: string;
  readonly calls: Calls;
  readonly path: string;
  /** The total number of entries on all pages. */
  readonly entries: number;
}

/** Prints how long it takes to read the first and the middle page of the list. */
export async function measureLists(
  service: Service,
  dataDir: string,
  filling: ExchangeFilling,
  times: number,
): Promise<void> {
  head(
    "Lists over HTTP: the first page, and the middle page by cursor",
    "list",
    "entries",
    "page",
    "rows",
    "median, ms",
    "p99, ms",
    "requests",
  );
  const listed = [
    ...(await viewsOf(service, dataDir, filling)),
    ...(await pushedListsOf(service, dataDir, filling)),
  ];
  try {
    for (const list of listed) await measureList(list, times);
  } finally {
    for (const { calls } of listed) calls.close();
  }
}

async function measureList({ name, calls, path, entries }: Listed, times: number): Promise<void> {
  const middle = Math.ceil(entries / PAGE_SIZE / 2);
  const first = `${path}${path.includes("?") ? "&" : "?"}page_size=${PAGE_SIZE}`;
  const { next } = await calls.get(`${first}&page_num=${Math.max(middle - 1, 1)}`);
  const pages: readonly (readonly [number, string | undefined])[] = [
    [1, first],
    [middle, middle < 2 ? undefined : next],
  ];
  for (const [page, at] of pages) {
    if (at === undefined) continue;
    const answers = await oneByOne(times, () => calls.get(at));
    const told = spread(answers.map(({ took_ms }) => took_ms));
    const rows = rowsIn(answers[0]?.body.toString("utf8") ?? "[]");
    const cells = [name, entries.toLocaleString("en"), page.toLocaleString("en"), rows];
    row([...cells, ...told, times]);
  }
}

function rowsIn(body: string): number {
  const answer = JSON.parse(body) as readonly unknown[] | { readonly leads: readonly unknown[] };
  return "leads" in answer ? answer.leads.length : answer.length;
}

/** Returns lists of leads and contacts from the two most common, two medium-frequency, and the two rarest sources. */
async function viewsOf(
  service: Service,
  dataDir: string,
  { partners }: ExchangeFilling,
): Promise<readonly Listed[]> {
  const shares = [
    "the 2 most common sources",
    "2 medium-frequency sources",
    "the 2 rarest sources",
  ];
  const listed: Listed[] = [];
  for (const table of ["leads", "contacts"] as const) {
    for (const [at, share] of shares.entries()) {
      const partner = partners[at];
      if (partner === undefined) throw new Error("There are too few partners");
      const entries = await counted(
        dataDir,
        (db, tenant) =>
          db`select count(*) from ${db(table)}
              where tenant_id = ${tenant} and lead_source = any(${[...partner.sources]}::text[])`,
      );
      const calls = await callsOf(service, partner);
      listed.push({
        name: `${table} from ${share}`,
        calls,
        path: `/crm/partner/${table}`,
        entries,
      });
    }
  }
  return listed;
}

async function pushedListsOf(
  service: Service,
  dataDir: string,
  { partners }: ExchangeFilling,
): Promise<readonly Listed[]> {
  const [first] = partners;
  if (first === undefined) throw new Error("There are no partners");
  const own = await callsOf(service, first);
  const filters: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    all: {},
    pending: { status: "pending" },
    "pending, possible duplicates": { status: "pending", possible_duplicate: "true" },
    "pending, from one partner": { status: "pending", partner_id: first.id },
    "pending, from one source": { status: "pending", source: first.sources[0] ?? "" },
    rejected: { status: "rejected" },
    expired: { status: "expired" },
  };
  const listed: Listed[] = [];
  for (const [name, filter] of Object.entries(filters)) {
    const path = `/crm/admin/pushed_leads?${new URLSearchParams(filter).toString()}`;
    const entries = await countPushed(dataDir, filter);
    listed.push({ name: `review: ${name}`, calls: ownerCalls(service), path, entries });
  }
  const entries = await countPushed(dataDir, { partner_id: first.id });
  listed.push({
    name: "a partner's own pushed leads",
    calls: own,
    path: "/crm/partner/pushed",
    entries,
  });
  return listed;
}

const countPushed = (dataDir: string, filter: Readonly<Record<string, string>>): Promise<number> =>
  counted(dataDir, (db, tenant) => {
    const equal = Object.entries({ ...filter, tenant_id: tenant }).map(
      ([name, value]) => db`and ${db(name)} = ${value === "true" ? true : value}`,
    );
    return db`select count(*) from pushed_leads where true ${equal}`;
  });

async function counted(
  dataDir: string,
  query: (db: Db, tenant: string) => Promise<readonly { readonly count?: number }[]>,
): Promise<number> {
  const installation = await openFolder(dataDir);
  try {
    const { scope } = await writerOf(installation);
    const [found] = await query(scope.db, scope.tenantId);
    return Number(found?.count);
  } finally {
    await installation.close();
  }
}
