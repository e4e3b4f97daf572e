/**
 * Stores the address of the running service in the data folder. Commands may run with different settings, but the links
 * they print must point to the running service.
 */

import { join } from "node:path";
import { isAlive, readOrNothing, removeNote, writeSecret } from "../platform/storage/index.ts";

const noteIn = (dataDir: string): string => join(dataDir, "service-address");

/** Stores the address of this process. Returns a function that removes it unless another process has replaced it. */
export function noteAddress(dataDir: string, base: string): () => void {
  const file = noteIn(dataDir);
  const note = `${process.pid} ${base}`;
  try {
    writeSecret(file, note);
  } catch {
    // With DATABASE_URL, there may be no data folder. In that case, commands use their own settings.
    return () => {};
  }
  return () => {
    if (readOrNothing(file).trim() === note) removeNote(file);
  };
}

/** Returns the address of the service that runs on a data folder; undefined if there is none. */
export function notedAddress(dataDir: string): string | undefined {
  const [, pid, base] = /^(\d+) (\S+)\s*$/.exec(readOrNothing(noteIn(dataDir))) ?? [];
  return pid !== undefined && isAlive(Number(pid)) ? base : undefined;
}
