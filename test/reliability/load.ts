/**
 * Readers and writers that check every response: it must be correct, or a 503 that states when to
 * retry. At the end, the database is compared with the acknowledged writes.
 */

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { createAsker, type Asker, type Attempt } from "../chaos/asking.ts";
import { readStore } from "../chaos/stored.ts";
import { emptyLedger, keepWriting } from "../chaos/writers.ts";
import { openSql } from "../kit/sql.ts";

export interface LoadOptions {
  readonly url: string;
  readonly token: string;
  readonly readers: number;
  readonly writers: number;
  readonly random: () => number;
}

export interface LoadResult {
  readonly requests: number;
  /** Writes that were acknowledged with 200 or 207. */
  readonly acknowledged: number;
  readonly unavailable: number;
  /** Responses that were neither correct nor a proper 503, and how often each occurred. */
  readonly wrong: Readonly<Record<string, number>>;
  /** The longest period in which no request succeeded. */
  readonly longestGap_ms: number;
  readonly slowest_ms: number;
  /** The method and the path of the slowest request. */
  readonly slowest: string;
  /** Acknowledged records that are missing from the database. */
  readonly lost: number;
}

export interface Load {
  /** Lets every reader and writer finish what it started, then reads the database at this URL. */
  readonly stop: (databaseUrl: string) => Promise<LoadResult>;
}

const SEEDS = 100;
const SHARED = 3;
const PAGE = 50;

/** Starts the load on a tenant that has no leads yet. */
export async function startLoad(options: LoadOptions): Promise<Load> {
  const { url, token, random } = options;
  const watch = watchAttempts();
  const asker = createAsker(url, token, watch.observe);
  const seeds = await addLeads(
    asker,
    Array.from({ length: SEEDS }, (_, n) => ({ name: `Seed ${n}` })),
  );
  const shared = await addLeads(
    asker,
    Array.from({ length: SHARED }, (_, n) => ({ name: `Counter ${n}`, comments: "0" })),
  );
  const ledger = emptyLedger();
  seeds.forEach((id, n) => ledger.leads.set(`Seed ${n}`, { id, version: 1, comments: null }));
  let isOver = false;
  const over = () => isOver;
  const work = [
    ...Array.from({ length: options.writers }, (_, n) =>
      keepWriting({ name: `w${n}`, asker, ledger, shared, random }, over),
    ),
    ...Array.from({ length: options.readers }, () => keepReading(asker, seeds, random, over)),
  ].map((part) => part.catch((error: Error) => watch.add(error.message.split("\n")[0] ?? "")));
  return {
    stop: async (databaseUrl) => {
      isOver = true;
      await Promise.all(work);
      const sql = openSql({ url: databaseUrl });
      try {
        const [row] = await sql`select tenant_id from leads where id = ${seeds[0] ?? ""}`;
        const store = await readStore(sql, row?.["tenant_id"] as string, ledger, shared);
        try {
          store.check();
        } catch (error) {
          watch.add(
            `The database is not as acknowledged: ${(error as Error).message.slice(0, 500)}`,
          );
        }
        return { ...watch.result(), lost: store.lost };
      } finally {
        await sql.end({ timeout: 5 });
      }
    },
  };
}

async function addLeads({ ask }: Asker, items: readonly object[]): Promise<readonly string[]> {
  const { status, body } = await ask({ method: "POST", path: "/crm/leads/batch", body: { items } });
  assert.equal(status, 207, JSON.stringify(body));
  return (body as readonly { _id: string }[]).map(({ _id }) => _id);
}

/** Reads pages and single records, filters for known data, and checks the responses. */
async function keepReading(
  { ask }: Asker,
  seeds: readonly string[],
  random: () => number,
  isOver: () => boolean,
): Promise<void> {
  const get = async (path: string) => {
    const { status, body } = await ask({ method: "GET", path });
    assert.equal(status, 200, `GET ${path} returned ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  for (let n = 0; !isOver(); n += 1) {
    const at = Math.floor(random() * seeds.length);
    if (n % 3 === 0) {
      const { leads } = await get(`/crm/leads?page_size=${PAGE}`);
      assert.equal(leads.length, PAGE, "A page of leads is not full.");
    } else if (n % 3 === 1) {
      const { _id, name } = await get(`/crm/leads/${seeds[at]}`);
      assert.deepEqual({ _id, name }, { _id: seeds[at], name: `Seed ${at}` });
    } else {
      const filter = encodeURIComponent(JSON.stringify({ name: `Seed ${at}` }));
      const { leads } = await get(`/crm/leads?match_filter_dict=${filter}`);
      assert.deepEqual(
        leads.map(({ _id }: { _id: string }) => _id),
        [seeds[at]],
      );
    }
    await sleep(random() * 20);
  }
}

/** Statuses that the load's requests may return, apart from 503. */
const RIGHT = new Set([200, 207, 404, 412]);

/** Evaluates every attempt, and collects the figures. */
function watchAttempts() {
  const figures = { requests: 0, acknowledged: 0, unavailable: 0, longestGap_ms: 0, slowest_ms: 0 };
  const wrong: Record<string, number> = {};
  let succeeded_ms = performance.now();
  let slowest = "none";
  const add = (what: string): void => {
    wrong[what] = (wrong[what] ?? 0) + 1;
  };
  const observe = ({ asked, answer, took_ms }: Attempt): void => {
    figures.requests += 1;
    const status = answer?.status ?? 0;
    if (took_ms > figures.slowest_ms) {
      figures.slowest_ms = took_ms;
      slowest = `${asked.method} ${asked.path.slice(0, 60)}, status ${status}`;
    }
    const retryAfter = answer?.headers.get("retry-after") ?? "";
    if (RIGHT.has(status)) {
      const now_ms = performance.now();
      figures.longestGap_ms = Math.max(figures.longestGap_ms, now_ms - succeeded_ms);
      succeeded_ms = now_ms;
      if (asked.method !== "GET" && status < 300) figures.acknowledged += 1;
    } else if (status === 503) {
      figures.unavailable += 1;
      if (!/^\d+$/.test(retryAfter)) add("a 503 without Retry-After");
      if (typeof answer?.body?.detail !== "string") add("a 503 without a detail");
    } else if (status !== 409 || retryAfter === "") {
      add(status === 0 ? `no response to ${asked.method}` : `${status} to ${asked.method}`);
    }
  };
  return { observe, add, result: () => ({ ...figures, slowest, wrong }) };
}
