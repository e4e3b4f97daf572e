/**
 * How our own PostgreSQL is set, each setting with its reason. What is not here is as PostgreSQL
 * has it.
 */

import { createHash } from "node:crypto";
import { totalmem } from "node:os";

export interface Sizes {
  /** The memory of the machine or container, or the part of it to reckon with. */
  readonly memory_bytes: number;
  /** Connections that the service's pools may open. */
  readonly connections: number;
}

const MB = 1024 * 1024;
const share = (bytes: number, part: number, min: number, max: number) =>
  `${Math.round(Math.min(Math.max(bytes / part / MB, min), max))}MB`;

/** The memory that this process may reckon with: a container's limit where there is one. */
export function memoryAtHand(): number {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < totalmem() ? limit : totalmem();
}

const settingsOf = ({ memory_bytes, connections }: Sizes): Readonly<Record<string, string>> => ({
  // Only this machine reaches it, and only with the password in the data folder.
  listen_addresses: "127.0.0.1",
  // A socket's path is limited to 107 bytes, which a data folder's path may exceed.
  unix_socket_directories: "",
  password_encryption: "scram-sha-256",

  // A write that was answered is on the disk (D11.5). Said here so that nobody has to look it up.
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",

  // Both pools of the service and some room for commands beside it.
  max_connections: String(Math.max(60, connections + 30)),
  // The service, Node and the page cache need memory too: an eighth, and it is taken when used.
  shared_buffers: share(memory_bytes, 8, 32, 2048),
  effective_cache_size: share(memory_bytes, 2, 128, 1_048_576),
  work_mem: share(memory_bytes, 1024, 4, 32),
  maintenance_work_mem: share(memory_bytes, 32, 32, 512),

  // Data folders are on flash; with 4 the planner reads a whole table where a deep page needs an
  // index.
  random_page_cost: "1.1",
  // Compiling a plan costs more than our queries take.
  jit: "off",
  // Parallel plans share memory through /dev/shm, which containers limit to 64 MB.
  max_parallel_workers_per_gather: "0",
  // Fewer checkpoints, so fewer full pages in the log; recovery after a crash stays within seconds.
  checkpoint_timeout: "15min",
  max_wal_size: "2GB",
  // The lists read many recent rows: keep dead ones few.
  autovacuum_vacuum_scale_factor: "0.05",
  autovacuum_naptime: "15s",

  // A query whose client is gone ends, and so does a transaction that a dead client left open.
  client_connection_check_interval: "5s",
  idle_in_transaction_session_timeout: "5min",

  timezone: "UTC",
  log_timezone: "UTC",
  lc_messages: "C",

  // A week of logs, a file for each day, each overwritten when its day comes again.
  logging_collector: "on",
  log_directory: "log",
  log_filename: "postgresql-%a.log",
  log_truncate_on_rotation: "on",
  log_rotation_age: "1d",
  log_rotation_size: "0",
  log_line_prefix: "%m [%p] %a ",
  log_min_duration_statement: "5s",
  // Parameters hold people's data.
  log_parameter_max_length: "0",
  log_parameter_max_length_on_error: "0",
});

/**
 * The settings as arguments of `postgres`, with their fingerprint as one more
 * (`leadport.settings`).
 */
export function settingArguments(
  sizes: Sizes,
  version: string,
): {
  readonly args: readonly string[];
  readonly fingerprint: string;
} {
  const settings = Object.entries(settingsOf(sizes));
  const text = JSON.stringify([version, settings]);
  const fingerprint = createHash("sha256").update(text).digest("hex").slice(0, 16);
  const all = [...settings, ["leadport.settings", fingerprint] as const];
  return { args: all.flatMap(([name, value]) => ["-c", `${name}=${value}`]), fingerprint };
}
