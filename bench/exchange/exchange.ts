/**
 * The partner exchange: whether the response times of lookups reveal which people are known, and how long analytics
 * take.
 */

import { openArena, type Arena } from "../compare/arena.ts";
import { headText, rowText, spread } from "../compare/results.ts";
import { filled } from "../loads/fill.ts";
import { emailAt, leadAt, phoneAt } from "../loads/leads.ts";
import { loop } from "../loads/loop.ts";
import { groundOf, loadOf } from "../loads/requests.ts";
import { FILLED_OPTIONS, numberOf, placeOf, type Benchmark } from "../options.ts";
import { machineOf } from "../service/machine.ts";
import { clientOf, type Client } from "../service/service.ts";
import { median } from "../statistics.ts";

const ANALYTICS_BAR_ms = 50;
/** The median response times for known and unknown people may differ by at most this share. */
const APART_MAX = 0.1;
const WARM_UP = 20;
const BATCH = 500;
const KINDS = [["email"], ["phone"], ["email", "phone"]] as const;
const YEAR_AGO = new Date(Date.now() - 365 * 86_400_000).toISOString().slice(0, 10);

interface Person {
  readonly email: string;
  readonly phone: string;
}

/** Returns the number of the kth lead to look up. Leads are spread over the table, and have a phone number or none. */
function numberAt(rows: number, k: number, hasPhone: boolean): number {
  let n = (k * 9973 + 1) % rows;
  while ((leadAt(n)["phone"] !== undefined) !== hasPhone) n = (n + 1) % rows;
  return n;
}

/**
 * Returns the kth person to look up. Leads and contacts alternate. The email address and phone number of unknown people
 * fall between existing ones, so that the same index pages are read. No lead has this phone number, because the test
 * data generates it only for leads without one.
 */
function personAt(rows: number, k: number, isKnown: boolean): Person {
  const n = numberAt(rows, k, isKnown);
  const email = isKnown ? String(leadAt(n)["email"]) : emailAt(n).replace("@", ".x@");
  if (k % 2 === 0) return { email, phone: phoneAt(n) };
  return { email: `contact.${email}`, phone: phoneAt(n).replace("(212)", "(646)") };
}

/** Creates the contacts among the known people. */
async function createContacts(owner: Client, rows: number, people: number): Promise<void> {
  for (let from = 0; from < people; from += 2 * BATCH) {
    const items = Array.from({ length: BATCH }, (_, at) => {
      const k = from + 2 * at + 1;
      return { name: `Contact ${k}`, ...personAt(rows, k, true) };
    });
    await owner.post("/crm/contacts/batch", { atomic: true, items });
  }
}

/** Alternately looks up known and unknown people over one connection. Returns whether response times are similar. */
async function measureLookups(partner: Client, rows: number, times: number): Promise<boolean> {
  const columns = ["known: median, ms", "p99, ms", "unknown: median, ms", "p99, ms"];
  console.log(headText("looked up by", ...columns, "ratio, known ÷ unknown"));
  let isMet = true;
  let next = 0;
  for (const kinds of KINDS) {
    const known: number[] = [];
    const unknown: number[] = [];
    for (let call = 0; call < WARM_UP + times; call++) {
      // Each call looks up another person, whose row is not cached yet.
      const k = next++;
      // The order alternates too, because the first call of a pair may affect the second.
      for (const isKnown of k % 4 < 2 ? [true, false] : [false, true]) {
        const person = personAt(rows, k, isKnown);
        const given = Object.fromEntries(kinds.map((kind) => [kind, person[kind]]));
        const { body, took_ms } = await partner.post("/crm/partner/lookup", given);
        if ((JSON.parse(body) as { exists: boolean }).exists !== isKnown)
          throw new Error(`${JSON.stringify(given)}: ${body}`);
        if (call >= WARM_UP) (isKnown ? known : unknown).push(took_ms);
      }
    }
    const ratio = median(known) / median(unknown);
    const isWithin = Math.abs(ratio - 1) <= APART_MAX;
    const text = `${ratio.toFixed(3)}${isWithin ? "" : " **over**"}`;
    console.log(rowText([kinds.join(" and "), ...spread(known), ...spread(unknown), text]));
    isMet &&= isWithin;
  }
  return isMet;
}

/** Pushes leads, and then reads their numbers. Returns whether all medians meet their target. */
async function measureAnalytics(
  arena: Arena,
  [owner, partner]: readonly [Client, Client],
  { rows, pushed, times }: Readonly<Record<"rows" | "pushed" | "times", number>>,
): Promise<boolean> {
  const ground = await groundOf(arena.service, arena.database, { rows, ...arena });
  const arm = arena.serviceArm(loadOf("W9").ask(ground), true);
  await loop(arm, { connections: 16, requests: pushed });
  await arena.database.query("vacuum (analyze) pushed_leads");
  console.log(`\n${headText("analytics for", "pushed leads", "median, ms", "p99, ms")}`);
  const asked: readonly (readonly [string, Client, string])[] = [
    ["a partner's own leads", partner, "/crm/partner/analytics"],
    ["leads from all partners", owner, "/crm/admin/analytics"],
    ["leads from all partners, past year", owner, `/crm/admin/analytics?start_date=${YEAR_AGO}`],
  ];
  let isMet = true;
  for (const [name, client, path] of asked) {
    const took_ms: number[] = [];
    for (let call = 0; call < times; call++) took_ms.push((await client.get(path)).took_ms);
    console.log(rowText([name, pushed, ...spread(took_ms, ANALYTICS_BAR_ms)]));
    isMet &&= median(took_ms) < ANALYTICS_BAR_ms;
  }
  return isMet;
}

export const exchange: Benchmark = {
  does: "Whether lookups reveal which people are known, and the time of analytics",
  options: {
    ...FILLED_OPTIONS,
    requests: { value: "<number>", fallback: "1000", doc: "Lookups of each kind." },
    pushed: { value: "<number>", fallback: "100000", doc: "Leads to push before analytics." },
  },
  run: async (values) => {
    const { rows, dataDir } = placeOf(values);
    const requests = numberOf(values, "requests");
    const pushed = numberOf(values, "pushed");
    await filled(dataDir, rows);
    const arena = await openArena(dataDir);
    const owner = clientOf(arena.service);
    const partner = clientOf(arena.service, arena.partner);
    try {
      console.log(`${await machineOf(arena.service)}.\n`);
      await createContacts(owner, rows, KINDS.length * (WARM_UP + requests));
      const isSecret = await measureLookups(partner, rows, requests);
      const sizes = { rows, pushed, times: Math.ceil(requests / 5) };
      return (await measureAnalytics(arena, [owner, partner], sizes)) && isSecret;
    } finally {
      for (const client of [owner, partner]) client.close();
      await arena.stop();
    }
  },
};
