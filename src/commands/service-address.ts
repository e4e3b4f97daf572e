/**
 * Where the running service listens, noted in the data folder: commands have their own settings, and print links
 * that open the running service.
 */

import { join } from "node:path";
import { isAlive, readOrNothing, removeNote, writeSecret } from "../platform/storage/index.ts";

const noteIn = (dataDir: string): string => join(dataDir, "service-address");

/** Notes the address of this process. Returns how to remove the note, unless another process replaced it. */
export function noteAddress(dataDir: string, base: string): () => void {
  const file = noteIn(dataDir);
  const note = `${process.pid} ${base}`;
  try {
    writeSecret(file, note);
  } catch {
    // With DATABASE_URL there may be no data folder. Commands then use their own settings.
    return () => {};
  }
  return () => {
    if (readOrNothing(file).trim() === note) removeNote(file);
  };
}

/** The address of the service that runs on a data folder; undefined if none does. */
export function notedAddress(dataDir: string): string | undefined {
  const [, pid, base] = /^(\d+) (\S+)\s*$/.exec(readOrNothing(noteIn(dataDir))) ?? [];
  return pid !== undefined && isAlive(Number(pid)) ? base : undefined;
}
