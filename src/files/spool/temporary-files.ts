/**
 * Temporary files for exports and imports. They have no name in the file system, so they never outlive their process.
 */

import { randomUUID } from "node:crypto";
import { mkdir, open, unlink, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";

export interface SpoolOptions {
  readonly folder: string;
  /** The maximum total size of this process's temporary files. */
  readonly max_bytes: number;
  /**
   * Whether more space is free on the database's disk than must stay free. The temporary files may be on the same disk.
   */
  readonly hasSpace?: () => boolean;
  readonly log: Pick<Logger, "warn">;
}

/** Temporary files with a total size of at most `max_bytes`. */
export class Spool {
  readonly #options: SpoolOptions;
  #held_bytes = 0;

  constructor(options: SpoolOptions) {
    this.#options = options;
  }

  /**
   * Creates a file without a name, which the operating system removes when it is closed or the process exits. Returns
   * undefined and logs the error if the folder is not writable.
   */
  async create(): Promise<FileHandle | undefined> {
    const { folder, log } = this.#options;
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, `${randomUUID()}.tmp`);
      const file = await open(path, "wx+", 0o600);
      await unlink(path);
      return file;
    } catch (error) {
      log.warn(
        { err: error },
        "Cannot create a temporary file; slow clients delay exports, and imports detect formats from the first rows",
      );
      return undefined;
    }
  }

  /** Reserves space. Returns false if there is not enough. */
  reserve(bytes: number): boolean {
    const { max_bytes, hasSpace } = this.#options;
    if (this.#held_bytes + bytes > max_bytes || hasSpace?.() === false) return false;
    this.#held_bytes += bytes;
    return true;
  }

  free(bytes: number): void {
    this.#held_bytes -= bytes;
  }
}
