/**
 * Finds the PostgreSQL processes of a data directory. A pid alone does not identify a process:
 * containers reuse the same small pids after a restart, and a zombie keeps its pid. A process
 * therefore counts as the server's only if its executable, data directory, start time and PID
 * namespace match.
 */

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { isAlive, readOrNothing } from "../storage/index.ts";
import { codeOf } from "../errors/index.ts";

/** The content of postmaster.pid, which PostgreSQL writes. */
type PidFile = NonNullable<ReturnType<typeof readPidFile>>;

/** How a pid relates to a data directory. `uncertain`: the process may be the server, but not everything matches. */
export type Verdict = "server" | "gone" | "other" | "uncertain";

const isLinux = process.platform === "linux";

/** Start times may differ by this much, because the system clock may be adjusted while a server runs. */
const CLOCK_TOLERANCE_s = 10;
/** The unit of start times in /proc. */
const TICKS_PER_s = 100;

export const pidFileOf = (data: string): string => join(data, "postmaster.pid");

/**
 * Reads postmaster.pid. Returns undefined if the file does not exist. A server that is still starting has written only
 * part of it.
 */
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
    /**
     * Whether the server listens only on its socket. This is the case if the address line in postmaster.pid is empty.
     * While the server is starting, that line is missing.
     */
    isSocketOnly: lines.length > 6 && lines[5]?.trim() === "",
    /** The id of the shared memory segment that all processes of the server attach to. */
    segment: segment === undefined ? undefined : Number(segment),
  };
}

export function classify(data: string, { pid, started_s }: PidFile): Verdict {
  if (isLinux) return classifyOnLinux(data, pid, started_s);
  // On Windows, PostgreSQL itself checks whether another server is running.
  if (process.platform === "win32" || !isAlive(pid)) return "gone";
  const found = listed(pid);
  if (found === undefined) return "gone";
  if (!found.command.includes(data)) return "other";
  return isNear(found.started_s, started_s) ? "server" : "uncertain";
}

function classifyOnLinux(data: string, pid: number, started_s: number): Verdict {
  const found = processOf(pid);
  if (found === undefined) return "gone";
  if (!isPostgresOn(data, pid)) return "other";
  return found.isInOurNamespace && isNear(found.started_s, started_s) ? "server" : "uncertain";
}

const isNear = (one_s: number, other_s: number) => Math.abs(one_s - other_s) <= CLOCK_TOLERANCE_s;

/** Returns the pids of all server processes of a data directory. Linux only; empty elsewhere. */
export function serverProcesses(data: string): readonly number[] {
  if (!isLinux) return [];
  const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  return pids.filter((pid) => isPostgresOn(data, pid) && processOf(pid)?.isInOurNamespace === true);
}

/** Whether any process, even in another container, is attached to the server's shared memory. Linux only. */
export function isAttached({ segment }: PidFile): boolean {
  if (!isLinux || segment === undefined) return false;
  const rows = readOrNothing("/proc/sysvipc/shm").split("\n");
  const row = rows.map((line) => line.trim().split(/\s+/)).find(([, id]) => id === String(segment));
  return Number(row?.[6] ?? 0) > 0;
}

/** Whether a process is PostgreSQL running with this data directory. */
function isPostgresOn(data: string, pid: number): boolean {
  try {
    const program = basename(readlinkSync(`/proc/${pid}/exe`)).replace(/ \(deleted\)$/, "");
    return program === "postgres" && readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data);
  } catch (error) {
    if (codeOf(error) !== "EACCES") return false;
    // In a container, root may not be allowed to inspect another user's process, but every user can read its command
    // line.
    const [program = "", ...args] = readOrNothing(`/proc/${pid}/cmdline`).split("\0");
    return basename(program) === "postgres" && args[args.indexOf("-D") + 1] === data;
  }
}

/** Returns a process from /proc, or undefined if it is not running. Zombies count as exited. */
function processOf(pid: number) {
  const stat = readOrNothing(`/proc/${pid}/stat`);
  // Parse the fields after the closing parenthesis, because the process name in parentheses may contain any character.
  const [state = "Z", ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (stat === "" || state === "Z" || state === "X") return undefined;
  const [, boot_s = "0"] = /^btime (\d+)/m.exec(readOrNothing("/proc/stat")) ?? [];
  const [, names = ""] = /^NSpid:\s*(.+)$/m.exec(readOrNothing(`/proc/${pid}/status`)) ?? [];
  return {
    started_s: Number(boot_s) + Number(fields[18]) / TICKS_PER_s,
    // A process in a child namespace has a pid in both namespaces.
    isInOurNamespace: names.trim().split(/\s+/).length === 1,
  };
}

/** Returns a process as listed by `ps`, whose output starts with a 24-character date. */
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
