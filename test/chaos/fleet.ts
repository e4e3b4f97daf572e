/**
 * Two API processes on one database, behind a proxy that cuts connections. Each process is killed
 * at random and restarted, as a supervisor would do.
 */

import type { TestContext } from "node:test";
import { kill, settings, spawnLeadport, START_WITHIN_ms } from "../running/leadport.ts";
import { openGate } from "./gate.ts";
import { eventually } from "../kit/eventually.ts";
import { listeningPort } from "../kit/listening-port.ts";

const PROCESSES = 2;
const STARTS_MAX = 10;
const FAILED = /"request failed"/;
/** The share of responses that are lost in transit, after the service has sent them. */
const LOST_SHARE = 0.02;

export interface FleetOptions {
  readonly databaseUrl: string;
  /** The installation's master key, in base64. */
  readonly key: string;
  readonly random: () => number;
}

export interface Fleet {
  /** The URL of the gate in front of all processes. */
  readonly url: string;
  /** Kills one process with SIGKILL, provided that another one is listening. The process is then restarted. */
  readonly killOne: () => void;
  /** Cuts a share of the open connections, from 0 to 1. */
  readonly cut: (share: number) => void;
  /** Waits until the killed processes are listening again. Fails if one did not start. */
  readonly settle: () => Promise<unknown>;
  /** Returns the processes' log lines about requests that failed through no fault of the client. */
  readonly failures: () => readonly string[];
  /** The output of processes that exited on their own while serving. */
  readonly crashes: () => readonly string[];
  readonly killed: () => number;
  readonly cuts: () => number;
  /** Stops cutting connections, except when `cut` is called. */
  readonly calm: () => void;
}

/** A process of the fleet while it is listening. */
interface Member {
  readonly pid: number;
  readonly port: number;
}

export async function startFleet(t: TestContext, options: FleetOptions): Promise<Fleet> {
  const { databaseUrl, key, random } = options;
  const env = {
    ...settings(t),
    DATABASE_URL: databaseUrl,
    MASTER_KEY: key,
    DATABASE_CONNECTIONS: "6",
    RATE_LIMIT: "off",
    LOG_LEVEL: "error",
  };
  const members: (Member | undefined)[] = [];
  const crashes: string[] = [];
  let log = "";
  const start = async (at: number): Promise<void> => {
    for (let attempt = 1; members[at] === undefined; attempt += 1) {
      const running = spawnLeadport(t, ["serve"], { env });
      running.child.stderr?.on("data", (chunk) => (log += chunk));
      await eventually(
        () => listeningPort(running.out()) !== undefined || running.child.exitCode !== null,
        Boolean,
        START_WITHIN_ms,
      );
      const port = listeningPort(running.out());
      if (port !== undefined) {
        members[at] = { pid: running.pid, port };
        running.child.once("close", () => {
          if (members[at]?.pid === running.pid) crashes.push(running.err());
        });
      }
      // If its database session was terminated during startup, the process exits and must be restarted.
      else if (attempt === STARTS_MAX) throw new Error((await running.ended).err);
    }
  };
  await Promise.all(Array.from({ length: PROCESSES }, (_, at) => start(at)));
  let killed = 0;
  let starting: Promise<unknown> = Promise.resolve();
  const gate = await openGate(t, {
    ports: () => members.flatMap((one) => one?.port ?? []),
    lostShare: LOST_SHARE,
    random,
  });
  return {
    ...gate,
    url: `http://127.0.0.1:${gate.port}`,
    killed: () => killed,
    killOne: () => {
      const at = Math.floor(random() * PROCESSES);
      const victim = members[at];
      if (victim === undefined || members.filter(Boolean).length < 2) return;
      members[at] = undefined;
      killed += 1;
      kill(victim.pid, "SIGKILL");
      starting = starting.then(() => start(at));
    },
    settle: () => starting,
    crashes: () => crashes,
    failures: () => log.split("\n").filter((line) => FAILED.test(line)),
  };
}
