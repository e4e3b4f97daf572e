/** A mix of requests: 70% pages, 25% writes, 5% time windows of 1,000 records. */

import { setInterval } from "node:timers";
import { loop, type Arm, type Ask, type Turn } from "../loads/loop.ts";
import { loadOf, type Ground } from "../loads/requests.ts";
import { memoryOf } from "../service/service.ts";
import { quantile } from "../statistics.ts";
import type { Arena } from "./arena.ts";
import { judged, pairedRounds, turnsText, type Shown } from "./rounds.ts";

/** With 64 connections, requests would at times exceed the limit of 20 concurrent time windows per token. */
const CONNECTIONS = 32;
const WINDOW = 1000;
/** The p99 may be at most this many times the median. */
const BAR = 5;
const MEMORY_BAR = 1.1;
const SAMPLE_ms = 1000;
const ROUNDS = 4;

/** The kinds of requests, each with its number out of every twenty requests. */
const SHARES = [
  ["page", 14],
  ["write", 5],
  ["window", 1],
] as const;

/** At half the service's capacity, the service's p99 may be at most this many times that of the bare server. */
const HALF_BAR = 3;

export async function compareMixed(
  arena: Arena,
  ground: Ground,
  for_s: number,
): Promise<readonly Shown[]> {
  const mix = await mixOf(arena, ground);
  const arm = arena.serviceArm(mix.ask);
  await loop(arm, { connections: CONNECTIONS, for_s: Math.min(20, for_s) });
  const samples_MB: number[] = [];
  const sampling = setInterval(() => samples_MB.push(memoryOf(arena.service).now_MB), SAMPLE_ms);
  const { byKind, rate } = await loop(arm, { connections: CONNECTIONS, for_s });
  clearInterval(sampling);
  const kinds = SHARES.map(([kind, share]): Shown => {
    const took_ms = byKind.get(kind) ?? [];
    const p50 = quantile(took_ms, 0.5);
    const p99 = quantile(took_ms, 0.99);
    const what = `${kind}s, ${share * 5}% of ${Math.round(rate)} requests/s: p99 divided by p50`;
    const own = `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
    return judged({ name: "mixed", what, own }, [p99 / p50], { most: BAR });
  });
  const half = await atHalf([arm, arena.bareArm(mix.beside)], rate / 2, for_s / 5);
  return [...kinds, memory(samples_MB), half];
}

const p99 = (turns: readonly Turn[]) => turns.map(({ took_ms }) => quantile(took_ms, 0.99));

/** Runs the same mix at a rate that the service can sustain, alternating with the bare server. */
async function atHalf(
  [own, bare]: readonly [Arm, Arm],
  rate: number,
  for_s: number,
): Promise<Shown> {
  const turn = { connections: CONNECTIONS, rate, for_s: for_s / ROUNDS };
  const { own: ours, beside } = await pairedRounds(own, bare, { ...turn, rounds: ROUNDS });
  const ratios = p99(ours).map((ms, at) => ms / (p99(beside)[at] ?? Number.NaN));
  const what = `all kinds at half the rate (${Math.round(rate)} requests/s): p99 divided by the bare server's p99`;
  const texts = { own: turnsText(ours), beside: turnsText(beside) };
  return judged({ name: "mixed", what, ...texts }, ratios, { most: HALF_BAR });
}

/** Compares the peak memory in the second half of a run with that in the first half. */
function memory(samples_MB: readonly number[]): Shown {
  const half = Math.floor(samples_MB.length / 2);
  const first_MB = Math.max(...samples_MB.slice(0, half));
  const second_MB = Math.max(...samples_MB.slice(half));
  const what = "peak memory in the second half, compared with the first half";
  const own = `${first_MB.toFixed(0)} MB, then ${second_MB.toFixed(0)} MB`;
  return judged({ name: "mixed", what, own }, [second_MB / first_MB], { most: MEMORY_BAR });
}

const iso = (at_s: number): string => `${new Date(at_s * 1000).toISOString().slice(0, 19)}Z`;

/** Returns the mix, for the service and for the bare server. */
async function mixOf(
  { database: { query }, tenantId }: Arena,
  ground: Ground,
): Promise<{ readonly ask: () => Ask; readonly beside: () => Ask }> {
  const [row] = await query(
    `select min(created_ts)::integer as from_s, max(created_ts)::integer as to_s
       from (select created_ts from leads where tenant_id = $1
              order by created_ts desc, id desc limit ${WINDOW} offset ${WINDOW}) l`,
    [tenantId],
  );
  const from_s = Number(row?.["from_s"]);
  const to_s = Number(row?.["to_s"]);
  const span = `start_date=${iso(from_s)}&end_date=${iso(to_s)}`;
  return {
    ask: mixed(ground, "ask", `/crm/leads/created?${span}`),
    beside: mixed(ground, "beside", `/window?from=${from_s}&to=${to_s}`),
  };
}

function mixed(ground: Ground, arm: "ask" | "beside", windowPath: string): () => Ask {
  const asksOf = (...names: readonly string[]) => names.map((name) => loadOf(name)[arm](ground));
  const pages = asksOf("W1", "W2", "W3");
  const writes = asksOf("W4", "W5");
  const window: Ask = { method: "GET", path: windowPath, check: whole };
  const kinds = SHARES.flatMap(([kind, share]) => Array<string>(share).fill(kind));
  let n = 0;
  return () => {
    // Seven and twenty are coprime, so the kinds are mixed and each keeps its share.
    const kind = kinds[(n++ * 7) % kinds.length] ?? "";
    const of = kind === "page" ? pages : writes;
    const ask = kind === "window" ? window : of[n % of.length]?.();
    return { ...(ask as Ask), kind };
  };
}

function whole(body: string): void {
  const { length } = JSON.parse(body) as readonly unknown[];
  if (length < WINDOW) throw new Error(`A window of ${length} records`);
}
