/** Runs an attack on the service while another tenant uses it, applies the criteria, and adds a row to the report. */

import { once } from "node:events";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { STARTED, type Attack, type Outcome, type Tokens } from "./attack.ts";
import type { AttackerArguments } from "./attacker-process.ts";
import { isLong } from "../kit/long.ts";
import { cpuOf_s, watchProcess } from "./processes.ts";
import { note } from "./report.ts";
import { slownessOf } from "./slowness.ts";
import { exportTime_ms } from "./tenants.ts";
import type { ServiceUnderTest } from "./service.ts";
import type { Latency, Victim } from "./victim.ts";
import { startMessenger } from "../kit/started.ts";

/** Duration of each attack in seconds. */
export const ATTACK_s = Number(process.env["ATTACK_S"] ?? (isLong ? "20" : "2"));
/** Selects attacks by their names. */
export const SELECTED = new RegExp(process.env["ATTACKS"] ?? "");
/** The limits of times are extended on a slow machine. */
const P99_MAX_ms = 250;
const RSS_MAX_MB = 1000;
/** How long the service may remain busy after the attack. */
const BUSY_MAX_s = 30;
/** If the service uses less than this share of a CPU core, only the victim's requests keep it busy. */
const CALM_CPU = 0.5;
const CALM_RESPONSE_ms = 500;
/** The maximum number of measurements per attack. */
const ROUNDS = 6;
/** The extra time that an attacker may take to build its bodies and to read the last response. */
const ATTACKER_EXTRA_ms = 300_000;

export interface Ground {
  readonly service: ServiceUnderTest;
  readonly victim: Victim;
  /** The victim's latency without an attack. */
  readonly calm: Latency;
  /** Credentials of the attacker's tenant. */
  readonly tokens: Tokens;
  /** How long the victim's export takes without an attack. If omitted, exports are not measured. */
  readonly export_ms?: number | undefined;
}

/**
 * Runs attacks and records the result. Another process on the machine can delay a few responses, so
 * an attack that exceeds only the latency limit is repeated. If the service really does not
 * withstand the attack, it exceeds the limit every time.
 */
export async function attackWith(
  t: TestContext,
  attack: Attack,
  ground: Ground,
  table = "Attacks",
): Promise<void> {
  for (let round = 1; ; round += 1) {
    const { row, missed, isSlow } = await measure(t, attack, ground);
    const all = [...missed, ...(isSlow ? ["p99 is too high."] : [])];
    if (round === ROUNDS || !isSlow || missed.length > 0) {
      return note(t, table, { ...row, rounds: round }, all);
    }
  }
}

async function measure(
  t: TestContext,
  attack: Attack,
  { service, victim, calm, tokens, export_ms }: Ground,
) {
  const slowness = await slownessOf(service);
  const pid = service.pid();
  const meter = watchProcess(pid);
  const lasts_s = Math.max(ATTACK_s, attack.atLeast_s ?? 0);
  const target = { url: service.url, ...tokens };
  const launched_ms = Date.now();
  let exporting: Promise<number> | undefined;
  const outcome = await runAttacker(t, { ...target, name: attack.name, lasts_s }, () => {
    if (export_ms !== undefined) exporting = exportTime_ms(service);
  });
  const { started_ms, ended_ms } = outcome ?? { started_ms: launched_ms, ended_ms: Infinity };
  const lasted_s = Math.min(lasts_s, (ended_ms - started_ms) / 1000);
  const [latency, busy_s] = await Promise.all([
    // Work that the service does after the attack still counts as part of it.
    victim.between(started_ms, Date.now() + 1000),
    untilCalm(service, slowness),
  ]);
  const { peak_MB, cpu_s } = meter.stop();
  const isSame = service.isAlive() && service.pid() === pid;
  const end = service.ended()?.err ?? "";
  const isBusy = busy_s > BUSY_MAX_s * slowness;
  if (isBusy) {
    service.killEverything();
    await service.startAgain();
  }
  const errors = Object.entries(latency.errors).map(([what, count]) => `${count} × ${what}`);
  const isLarge = peak_MB !== undefined && peak_MB >= RSS_MAX_MB;
  const missed = [
    ...(isSame ? [] : [`The process ended: ${lastLineOf(end)}`]),
    ...(errors.length === 0 ? [] : [`The other tenant got errors: ${errors.join(", ")}.`]),
    ...(isLarge ? [`The memory is not below ${RSS_MAX_MB} MB.`] : []),
    ...(isBusy ? [`It was still busy ${Math.round(busy_s)} s later.`] : []),
    ...((outcome?.requests ?? 0) > 0 ? [] : ["The attacker sent nothing."]),
    ...(outcome === undefined ? [] : [attack.bound?.(outcome) ?? []].flat()),
  ];
  const row = {
    attack: attack.name,
    slowness,
    seconds: lasted_s,
    responses: Object.entries(outcome?.responses ?? {})
      .map(([what, count]) => `${count} × ${what}`)
      .join(", "),
    "p99 without attack, ms": calm.p99_ms,
    "p99 during attack, ms": latency.p99_ms,
    "max during attack, ms": latency.max_ms,
    ...(export_ms !== undefined && {
      "p50 without attack, ms": calm.p50_ms,
      "p50 during attack, ms": latency.p50_ms,
      "export without attack, ms": export_ms,
      "export during attack, ms": await exporting,
    }),
    errors: errors.join(", ") || 0,
    "CPU s per s": cpu_s === undefined ? undefined : cpu_s / lasted_s,
    "RSS peak, MB": peak_MB,
    "same process": isSame ? "yes" : "no",
  };
  return { row, missed, isSlow: latency.p99_ms >= P99_MAX_ms * slowness };
}

/** Runs the attack in its own process, and calls `onStart` when it starts. Returns undefined if the attack failed. */
async function runAttacker(
  t: TestContext,
  given: AttackerArguments,
  onStart: () => void,
): Promise<Outcome | undefined> {
  const path = join(import.meta.dirname, "attacker-process.ts");
  const child = startMessenger(t, path, JSON.stringify(given));
  let outcome: Outcome | undefined;
  child.on("message", (sent) => {
    if (sent === STARTED) onStart();
    else outcome = sent as Outcome;
  });
  // The attacker normally exits on its own. The timer kills it if it does not.
  const timer = setTimeout(() => child.kill("SIGKILL"), given.lasts_s * 1000 + ATTACKER_EXTRA_ms);
  // "close" comes after the last message. "exit" can come before it.
  await once(child, "close");
  clearTimeout(timer);
  return outcome;
}

/** Waits until the service works only for the victim. Returns how long that took. */
async function untilCalm(
  { url, token, pid, isAlive }: ServiceUnderTest,
  slowness: number,
): Promise<number> {
  const start_ms = performance.now();
  const passed_s = (): number => (performance.now() - start_ms) / 1000;
  while (isAlive() && passed_s() <= BUSY_MAX_s * slowness) {
    const before_s = cpuOf_s(pid()) ?? 0;
    const from_s = passed_s();
    await sleep(1000);
    const used = ((cpuOf_s(pid()) ?? 0) - before_s) / (passed_s() - from_s);
    const signal = AbortSignal.timeout(CALM_RESPONSE_ms * slowness);
    const headers = { authorization: `Bearer ${token}` };
    const isQuick = await fetch(`${url}/crm/leads?page_size=50`, { headers, signal }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isQuick && used < CALM_CPU) break;
  }
  return passed_s();
}

const lastLineOf = (text: string): string =>
  text
    .split("\n")
    .find((line) => /FATAL|Error|error/.test(line))
    ?.slice(0, 200) ?? "no message.";
