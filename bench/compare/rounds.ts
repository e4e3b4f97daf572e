/**
 * Compares two arms in paired rounds. An arm is a server and the requests that are sent to it. Each arm runs once per
 * round, and the arm that goes first alternates.
 */

import { loop, type Arm, type Loop, type Turn } from "../loads/loop.ts";
import { median, quantile } from "../statistics.ts";
import { rowText } from "./results.ts";

/** The result of a workload. `bar` is the target for `ratio`. */
export interface Shown {
  readonly name: string;
  readonly what: string;
  readonly bar: string;
  readonly ratio: number;
  /** The lowest and the highest ratio of all rounds. */
  readonly spread?: readonly [number, number];
  readonly isMet: boolean;
  /** The other cells of the table row, one per arm: rates, times and processor time. */
  readonly own: string;
  readonly beside: string;
}

const number = (value: number): string => value.toFixed(Math.abs(value) >= 20 ? 0 : 2);

/** Formats one row of the table: the ratio, its range over the rounds, and the figures of both arms. */
export function shownText({ name, what, bar, ratio, spread, isMet, own, beside }: Shown): string {
  const range = spread === undefined ? "" : ` (${spread.map(number).join(" to ")})`;
  const verdict = isMet ? "met" : "**missed**";
  return rowText([name, what, bar, `${number(ratio)}${range}`, verdict, own, beside]);
}

interface Pair {
  readonly own: Turn[];
  readonly beside: Turn[];
}

/** Warms up both arms, then runs the rounds. */
export async function pairedRounds(
  own: Arm,
  beside: Arm,
  { rounds, ...turn }: Loop & { readonly rounds: number },
): Promise<Pair> {
  const pair: Pair = { own: [], beside: [] };
  await loop(own, { ...turn, for_s: 1 });
  await loop(beside, { ...turn, for_s: 1 });
  for (let round = 0; round < rounds; round++) {
    const turns = [
      async () => pair.own.push(await loop(own, turn)),
      async () => pair.beside.push(await loop(beside, turn)),
    ];
    for (const take of round % 2 === 0 ? turns : turns.toReversed()) await take();
  }
  return pair;
}

/** Compares the median ratio of the rounds with a target. */
export function judged(
  of: Pick<Shown, "name" | "what"> & Partial<Pick<Shown, "own" | "beside">>,
  ratios: readonly number[],
  target: { readonly least: number } | { readonly most: number },
): Shown {
  const ratio = median(ratios);
  const isLeast = "least" in target;
  return {
    own: "",
    beside: "",
    ...of,
    ratio,
    bar: isLeast ? `≥ ${target.least.toFixed(2)}` : `≤ ${target.most.toFixed(2)}`,
    isMet: isLeast ? ratio >= target.least : ratio <= target.most,
    ...(ratios.length > 1 && { spread: [Math.min(...ratios), Math.max(...ratios)] }),
  };
}

/** Summarizes the rounds by the ratios of requests per second. */
export function shown(
  { name, what, bar }: { readonly name: string; readonly what: string; readonly bar: number },
  { own, beside }: Pair,
): Shown {
  const ratios = own.map(({ rate }, at) => rate / (beside[at]?.rate ?? Number.NaN));
  const texts = { own: turnsText(own), beside: turnsText(beside) };
  return judged({ name, what, ...texts }, ratios, { least: bar });
}

/**
 * Formats requests per second, p50 and p99 in ms, and the processor time per request (in µs) of the service, its
 * database and the load generator.
 */
export function turnsText(turns: readonly Turn[]): string {
  const took_ms = turns.flatMap((turn) => turn.took_ms);
  const rate = median(turns.map((turn) => turn.rate));
  const times = [quantile(took_ms, 0.5), quantile(took_ms, 0.99)].map((ms) => ms.toFixed(1));
  const cpu = (["service_us", "database_us", "loop_us"] as const).map((of) =>
    median(turns.map((turn) => turn.cpu[of])).toFixed(0),
  );
  return `${rate.toFixed(0)}/s · ${times.join(" / ")} ms · ${cpu.join(" + ")} µs`;
}
