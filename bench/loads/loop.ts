/**
 * Sends requests over persistent connections, one after the other or at a fixed rate. Checks responses during the run,
 * and measures three processor times: the service's, its database's, and that of the loop that sends the requests.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { Connection } from "../service/connection.ts";
import type { Cpu } from "../service/cpu.ts";

/** A request and its expected response. */
export interface Ask {
  readonly method: "GET" | "POST" | "PATCH";
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Throws if the length or content of the response is wrong. Called for one in CHECK_EVERY responses. */
  readonly check?: (body: string) => void;
  /** The kind of request, in a workload with several kinds. */
  readonly kind?: string;
}

/** One side of a comparison (an arm): the target of its requests, and a function that returns the next request. */
export interface Arm {
  readonly url: string;
  readonly authorization?: string | undefined;
  readonly next: () => Ask;
  /** The processor time that the target's processes have used so far. */
  readonly cpu: () => Cpu;
}

/** Processor time per request, in µs. */
export interface RequestCpu {
  readonly service_us: number;
  readonly database_us: number;
  /** Processor time of the loop itself. If it is less than one core, the service limits the rate, not the loop. */
  readonly loop_us: number;
}

export interface Turn {
  /** Requests per second. */
  readonly rate: number;
  readonly cpu: RequestCpu;
  readonly took_ms: readonly number[];
  /** The durations in `took_ms`, by kind of request. */
  readonly byKind: ReadonlyMap<string, readonly number[]>;
}

export interface Loop {
  readonly connections: number;
  readonly for_s: number;
  /**
   * The number of requests per second, sent at even intervals. If omitted, requests are sent as fast as
   * possible. A request that is due while all connections are busy is sent as soon as one is free, and
   * its duration is measured from the time it was due.
   */
  readonly rate?: number;
}

/** Ends the loop after this many requests, however long they take. */
export interface CountedLoop {
  readonly connections: number;
  readonly requests: number;
}

const CHECK_EVERY = 50;

function push(lists: Map<string, number[]>, name: string, value: number): void {
  const list = lists.get(name) ?? [];
  if (list.length === 0) lists.set(name, list);
  list.push(value);
}

const ownCpu_ms = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Keeps N connections busy. Throws if a response is not a success, or if a checked one is wrong. */
export async function loop(arm: Arm, turn: Loop | CountedLoop): Promise<Turn> {
  const byKind = new Map<string, number[]>();
  const took_ms: number[] = [];
  const before = arm.cpu();
  const own_ms = ownCpu_ms();
  const begun_ms = performance.now();
  let sent = 0;
  const isOver = (): boolean =>
    "requests" in turn ? sent >= turn.requests : performance.now() - begun_ms >= turn.for_s * 1000;
  /** Waits until a request is due. Returns the delay in ms. */
  const due = async (at: number): Promise<number> => {
    if (!("rate" in turn) || turn.rate === undefined) return 0;
    const wait_ms = begun_ms + (1000 * at) / turn.rate - performance.now();
    if (wait_ms > 0) await sleep(wait_ms);
    return Math.max(0, -wait_ms);
  };
  const keepBusy = async (): Promise<void> => {
    const connection = new Connection(arm.url);
    try {
      while (!isOver()) {
        const ask = arm.next();
        const at = sent++;
        const late_ms = await due(at);
        const took = late_ms + (await respond(connection, arm, ask, at % CHECK_EVERY === 0));
        took_ms.push(took);
        if (ask.kind !== undefined) push(byKind, ask.kind, took);
      }
    } finally {
      connection.close();
    }
  };
  await Promise.all(Array.from({ length: turn.connections }, keepBusy));
  const took_s = (performance.now() - begun_ms) / 1000;
  const after = arm.cpu();
  const each_us = (ms: number): number => (1000 * ms) / took_ms.length;
  const cpu = {
    service_us: each_us(after.service_ms - before.service_ms),
    database_us: each_us(after.database_ms - before.database_ms),
    loop_us: each_us(ownCpu_ms() - own_ms),
  };
  return { rate: took_ms.length / took_s, cpu, took_ms, byKind };
}

/** Sends a request. Returns how long it took until the response was complete, in ms. */
async function respond(
  connection: Connection,
  { authorization }: Arm,
  { method, path, body, headers, check }: Ask,
  isChecked: boolean,
): Promise<number> {
  const all = {
    ...headers,
    ...(body !== undefined && { "content-type": "application/json" }),
    ...(authorization !== undefined && { authorization }),
  };
  const begun_ms = performance.now();
  const response = await connection.send({ method, path, headers: all, body }, isChecked);
  const took_ms = performance.now() - begun_ms;
  if (response.status > 299) {
    throw new Error(`${path}: ${response.status} ${response.body?.slice(0, 300) ?? ""}`);
  }
  if (isChecked) check?.(response.body ?? "");
  return took_ms;
}
