/**
 * Measures how long the service's lookup statement takes in the database, and checks that response times do not reveal
 * which people are known.
 */

import postgres from "postgres";
import { findFirstTenant } from "../src/access/index.ts";
import { SERVICE, type Scope } from "../src/audit/index.ts";
import type { Partner } from "../src/exchange/partners/partner-bodies.ts";
import { findInRecords } from "../src/exchange/partners/find-match.ts";
import type { Db } from "../src/platform/database/tx.ts";
import { personKeys } from "../src/records/index.ts";
import type { Calls } from "./exchange-calls.ts";
import { head, ms, row, spread } from "./exchange-table.ts";
import { emailAt, leadAt, phoneAt } from "./leads.ts";
import { median, type Service } from "./service.ts";

const DATABASE_BAR_ms = 2;
/** The median response times for known and unknown people may differ by at most this share. */
const APART_MAX = 0.1;
const LOOKUP = "/crm/partner/lookup";

export interface Ways {
  readonly email?: string;
  readonly phone?: string;
}

const KINDS = ["email", "phone", "both"] as const;
type Kind = (typeof KINDS)[number];

/** Returns the kth known person to look up. Leads and contacts alternate. Both are spread over their tables. */
export function known(kind: Kind, rows: number, k: number): Ways {
  const { email, phone } = leadAt(numberAt(rows, k, true)) as Required<Ways>;
  return pick(kind, k, { email, phone });
}

/**
 * Returns the kth unknown person. The email address and phone number fall between existing ones, so that the same index
 * pages are read. The test data generates this phone number but does not store it in a lead.
 */
export function unknown(kind: Kind, rows: number, k: number): Ways {
  const n = numberAt(rows, k, false);
  return pick(kind, k, { email: emailAt(n).replace("@", ".x@"), phone: phoneAt(n) });
}

/** Returns the position of the kth lead with a phone number, or without one. */
function numberAt(rows: number, k: number, hasPhone: boolean): number {
  let n = (k * 9973 + 1) % rows;
  while ((leadAt(n)["phone"] !== undefined) !== hasPhone) n = (n + 1) % rows;
  return n;
}

function pick(kind: Kind, k: number, { email, phone }: Required<Ways>): Ways {
  const isContact = k % 2 === 1;
  const ways = {
    email: isContact ? email.replace("Lead", "Contact") : email,
    phone: isContact ? phone.replace("(212)", "(646)") : phone,
  };
  return {
    ...(kind !== "phone" && { email: ways.email }),
    ...(kind !== "email" && { phone: ways.phone }),
  };
}

/**
 * Prints how long the statement takes in the database as a prepared statement, as in the service. Returns whether the
 * target is met.
 */
export async function measureStatement(
  { databaseUrl }: Service,
  rows: number,
  times: number,
): Promise<boolean> {
  const sql = postgres(databaseUrl, { max: 1 });
  head(
    `Lookup in the database (target: median < ${DATABASE_BAR_ms} ms)`,
    "looked up by",
    "known",
    "median, ms",
    "p99, ms",
    "planning, ms",
    "blocks read (median)",
    "lookups",
  );
  try {
    const tenant = await findFirstTenant(sql);
    if (tenant === undefined) throw new Error("There is no first tenant");
    const isMet: boolean[] = [];
    for (const kind of KINDS) {
      const asked = statementOf(tenant, known(kind, rows, 0));
      await sql.unsafe(`prepare asked as ${(await asked).text}`);
      for (const isKnown of [true, false]) {
        const plans: Explained[] = [];
        for (let k = 0; k < WARM_UP + times; k++) {
          const ways = isKnown ? known(kind, rows, k) : unknown(kind, rows, k);
          const explained = await explain(sql, (await statementOf(tenant, ways)).values);
          if (k >= WARM_UP) plans.push(explained);
        }
        const took_ms = plans.map(({ total_ms }) => total_ms);
        const planning_ms = median(plans.map((plan) => plan.planning_ms));
        const blocks = median(plans.map((plan) => plan.blocks));
        const told = spread(took_ms, DATABASE_BAR_ms);
        row([kind, isKnown ? "yes" : "no", ...told, ms(planning_ms), blocks, times]);
        isMet.push(median(took_ms) < DATABASE_BAR_ms);
      }
      await sql.unsafe("deallocate asked");
    }
    return isMet.every(Boolean);
  } finally {
    await sql.end();
  }
}

const WARM_UP = 20;

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

type AskedTenant = NonNullable<Awaited<ReturnType<typeof findFirstTenant>>>;

/** Captures the statement that the service would send, using a connection that only records it. */
async function statementOf(tenant: AskedTenant, ways: Ways): Promise<Statement> {
  let heard: Statement | undefined;
  const listening = {
    unsafe: (text: string, values: readonly unknown[]) => {
      heard = { text, values };
      return Promise.resolve([{ is_confirmed: true, rank: null }]);
    },
  };
  const scope: Scope = { db: listening as unknown as Db, tenantId: tenant.id, actor: SERVICE };
  const keys = personKeys(ways, tenant.default_country);
  const versions = { partner: "", tenant: "" };
  const caller = { tenant, partner: {} as Partner, requestId: "", versions, isCached: false };
  const person = { given: ways, keys, caller };
  await findInRecords(scope, person, Math.floor(Date.now() / 1000));
  if (heard === undefined) throw new Error("No statement was sent");
  return heard;
}

interface Explained {
  readonly total_ms: number;
  readonly planning_ms: number;
  readonly blocks: number;
}

async function explain(sql: Db, values: readonly unknown[]): Promise<Explained> {
  const literals = values.map((value) => `'${String(value).replaceAll("'", "''")}'`).join(", ");
  const [answer] = await sql.unsafe(
    `explain (analyze, buffers, timing off, format json) execute asked(${literals})`,
  );
  const [told] = (answer?.["QUERY PLAN"] ?? []) as readonly Record<string, unknown>[];
  const plan = (told?.["Plan"] ?? {}) as Readonly<Record<string, number>>;
  const planning_ms = Number(told?.["Planning Time"]);
  return {
    total_ms: planning_ms + Number(told?.["Execution Time"]),
    planning_ms,
    blocks: Number(plan["Shared Hit Blocks"]) + Number(plan["Shared Read Blocks"]),
  };
}

/**
 * The number of people to skip between two kinds of lookups, so that each kind looks up different people, whose rows
 * are not cached yet.
 */
const FRESH = 100_000;

/** Alternately looks up known and unknown people over one connection. Returns whether response times are similar. */
export async function measureSecrecy(calls: Calls, rows: number, times: number): Promise<boolean> {
  head(
    `Lookup over HTTP, known and unknown people alternating (target: medians differ by ≤ ${APART_MAX * 100}%)`,
    "looked up by",
    "known: median, ms",
    "p99, ms",
    "unknown: median, ms",
    "p99, ms",
    "ratio, known ÷ unknown",
    "lookups of each",
  );
  const isMet: boolean[] = [];
  for (const [at, kind] of KINDS.entries()) {
    const took_ms: Record<"known" | "unknown", number[]> = { known: [], unknown: [] };
    for (let k = 0; k < WARM_UP + times; k++) {
      // The order alternates too, because the first call of a pair may affect the second.
      const turns = k % 2 === 0 ? (["known", "unknown"] as const) : (["unknown", "known"] as const);
      const nth = k + FRESH * (at + 1);
      for (const turn of turns) {
        const ways = turn === "known" ? known(kind, rows, nth) : unknown(kind, rows, nth);
        const answer = await calls.post(LOOKUP, ways);
        const { exists } = JSON.parse(answer.body.toString("utf8")) as { exists: boolean };
        if (exists !== (turn === "known")) throw new Error(`${JSON.stringify(ways)}: ${exists}`);
        if (k >= WARM_UP) took_ms[turn].push(answer.took_ms);
      }
    }
    const ratio = median(took_ms.known) / median(took_ms.unknown);
    const isWithin = Math.abs(ratio - 1) <= APART_MAX;
    const told = `${ratio.toFixed(3)}${isWithin ? "" : " **over**"}`;
    row([kind, ...spread(took_ms.known), ...spread(took_ms.unknown), told, times]);
    isMet.push(isWithin);
  }
  return isMet.every(Boolean);
}

/** Sends the kth lookup of a workload. Half of the people are known. */
export const lookUpAt = (calls: Calls, rows: number) => (k: number) =>
  calls.post(LOOKUP, k % 2 === 0 ? known("both", rows, k) : unknown("both", rows, k));
