/**
 * PostgreSQL's processes on a data directory, as the operating system shows them. A pid alone says
 * little: in a container the next start gives out the same small numbers, and a dead child that nobody
 * waits for keeps its own. So a process counts as the server's only by its executable, its data
 * directory, its start time and its PID namespace.
 */

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { isAlive, readOrNothing } from "../storage/index.ts";

/** postmaster.pid, which PostgreSQL writes. */
type PidFile = NonNullable<ReturnType<typeof readPidFile>>;

/** What a pid is to a data directory. `uncertain`: it looks like its server, but not all of it fits. */
export type Verdict = "server" | "gone" | "other" | "uncertain";

const isLinux = process.platform === "linux";

/** Clocks are set while servers run, by a little. */
const CLOCK_TOLERANCE_s = 10;
/** What Linux counts start times in, for every program. */
const TICKS_PER_s = 100;

export const pidFileOf = (data: string): string => join(data, "postmaster.pid");

/** Undefined if there is none. A server that is just starting has written only a part of it. */
export function readPidFile(data: string) {
  let lines: readonly string[];
  try {
    lines = readFileSync(pidFileOf(data), "utf8").split("\n");
  } catch {
    return undefined;
  }
  const [pid = 0, , started_s = 0, port = 0] = lines.map(Number);
  const segment = lines[6]?.trim().split(/\s+/)[1];
  return {
    pid,
    started_s,
    port,
    status: lines[7]?.trim() ?? "",
    /** Whether it listens on no address. A server that is just starting has not written the line yet. */
    isSocketOnly: lines.length > 6 && lines[5]?.trim() === "",
    /** The id of the shared memory segment that every process of the server is attached to. */
    segment: segment === undefined ? undefined : Number(segment),
  };
}

export function judge(data: string, { pid, started_s }: PidFile): Verdict {
  if (isLinux) return judgeOnLinux(data, pid, started_s);
  // PostgreSQL for Windows looks itself, and sees only its own processes.
  if (process.platform === "win32" || !isAlive(pid)) return "gone";
  const found = listed(pid);
  if (found === undefined) return "gone";
  if (!found.command.includes(data)) return "other";
  return isNear(found.started_s, started_s) ? "server" : "uncertain";
}

function judgeOnLinux(data: string, pid: number, started_s: number): Verdict {
  const found = processOf(pid);
  if (found === undefined) return "gone";
  if (!isPostgresOn(data, pid)) return "other";
  return found.isInOurNamespace && isNear(found.started_s, started_s) ? "server" : "uncertain";
}

const isNear = (one_s: number, other_s: number) => Math.abs(one_s - other_s) <= CLOCK_TOLERANCE_s;

/** The pids of all processes of a server on this data directory. Linux only; none elsewhere. */
export function serverProcesses(data: string): readonly number[] {
  if (!isLinux) return [];
  const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  return pids.filter((pid) => isPostgresOn(data, pid) && processOf(pid)?.isInOurNamespace === true);
}

/** Whether any process, seen or not, is attached to the server's shared memory. Linux only. */
export function isAttached({ segment }: PidFile): boolean {
  if (!isLinux || segment === undefined) return false;
  const rows = readOrNothing("/proc/sysvipc/shm").split("\n");
  const row = rows.map((line) => line.trim().split(/\s+/)).find(([, id]) => id === String(segment));
  return Number(row?.[6] ?? 0) > 0;
}

/** Whether a process that is alive runs PostgreSQL in this data directory. */
function isPostgresOn(data: string, pid: number): boolean {
  try {
    const program = basename(readlinkSync(`/proc/${pid}/exe`)).replace(/ \(deleted\)$/, "");
    return program === "postgres" && readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EACCES") return false;
    // In a container root may not look into another user's process; the command line is public.
    const [program = "", ...args] = readOrNothing(`/proc/${pid}/cmdline`).split("\0");
    return basename(program) === "postgres" && args[args.indexOf("-D") + 1] === data;
  }
}

/** A process that has not ended; a dead one that nobody waits for counts as ended. */
function processOf(pid: number) {
  const stat = readOrNothing(`/proc/${pid}/stat`);
  // The name in parentheses may hold anything.
  const [state = "Z", ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (stat === "" || state === "Z" || state === "X") return undefined;
  const [, boot_s = "0"] = /^btime (\d+)/m.exec(readOrNothing("/proc/stat")) ?? [];
  const [, names = ""] = /^NSpid:\s*(.+)$/m.exec(readOrNothing(`/proc/${pid}/status`)) ?? [];
  return {
    started_s: Number(boot_s) + Number(fields[18]) / TICKS_PER_s,
    // A process of a namespace below ours has a number in each of the two.
    isInOurNamespace: names.trim().split(/\s+/).length === 1,
  };
}

/** A process in the words of `ps`, which begin with 24 characters of date. */
function listed(pid: number) {
  try {
    const format = ["-o", "lstart=", "-o", "command="];
    const env = { ...process.env, LC_ALL: "C" };
    const text = execFileSync("ps", ["-p", String(pid), ...format], { encoding: "utf8", env });
    return { started_s: Date.parse(text.slice(0, 24)) / 1000, command: text.slice(24) };
  } catch {
    return undefined;
  }
}
