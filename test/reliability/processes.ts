/** Processes as shown in Linux's /proc: children, processor time, peak memory. Undefined on other systems. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";

const HAS_PROC = existsSync("/proc/self/clear_refs");
/** The kernel's clock ticks: 100 per second on every Linux that Node runs on. */
const TICKS_PER_s = 100;

/** Returns the children of a process; empty if it has exited. */
export function childrenOf(pid: number): readonly number[] {
  return (readOrEmpty(`/proc/${pid}/task/${pid}/children`).match(/\d+/g) ?? []).map(Number);
}

/** Returns the processes of a PostgreSQL server that serve Leadport's sessions. */
export function backendsOf(postmaster: number): readonly number[] {
  return childrenOf(postmaster).filter((pid) =>
    /^postgres: \S+ leadport /.test(readOrEmpty(`/proc/${pid}/cmdline`)),
  );
}

/** Whether a signal has stopped the process. */
export const isStopped = (pid: number): boolean => fieldsOf(pid)[0] === "T";

/** Returns the processor time that a process has used, in seconds. */
export function cpuOf_s(pid: number): number | undefined {
  const fields = fieldsOf(pid);
  return fields.length === 0 ? undefined : (Number(fields[11]) + Number(fields[12])) / TICKS_PER_s;
}

/** Returns the fields of /proc/PID/stat after the process name; empty if the process has exited. */
function fieldsOf(pid: number): readonly string[] {
  const text = readOrEmpty(`/proc/${pid}/stat`);
  // The process name, which is in parentheses, may contain spaces.
  return text === "" ? [] : text.slice(text.lastIndexOf(")") + 2).split(" ");
}

export interface Used {
  /** The largest resident memory. */
  readonly peak_MB: number | undefined;
  readonly cpu_s: number | undefined;
}

const LOOK_EVERY_ms = 100;

/** Measures what a process uses from now until `stop`, even if the process exits first. */
export function watchProcess(pid: number): { readonly stop: () => Used } {
  // Reset the kernel's own measurement of the peak.
  if (HAS_PROC) writeFileSync(`/proc/${pid}/clear_refs`, "5");
  const before_s = cpuOf_s(pid) ?? 0;
  let used: Used = { peak_MB: undefined, cpu_s: undefined };
  const look = (): void => {
    const peak_MB = peakOf_MB(pid);
    const now_s = cpuOf_s(pid);
    if (peak_MB !== undefined && now_s !== undefined) used = { peak_MB, cpu_s: now_s - before_s };
  };
  const timer = setInterval(look, LOOK_EVERY_ms);
  return {
    stop: () => {
      look();
      clearInterval(timer);
      return used;
    },
  };
}

function peakOf_MB(pid: number): number | undefined {
  const kB = /^VmHWM:\s+(\d+) kB/m.exec(readOrEmpty(`/proc/${pid}/status`))?.[1];
  return kB === undefined ? undefined : Number(kB) / 1024;
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
