/** How many records to read at a time. Most records are about 1 KB, but a record can be as large as 1 MB. */

/** The target size of a batch. */
export const BATCH_BYTES = 1024 * 1024;
/** The number of records in the first batch, when their sizes are still unknown. */
export const BATCH_FIRST = 100;
export const BATCH_MAX = 1000;

/**
 * Maximum size of the bodies that one statement keeps in memory. The bodies of the remaining rows are dropped as they
 * arrive. A page of 500 records of the usual size takes about a third of this.
 */
export const KEPT_BYTES = 2 * 1024 * 1024;

/** Returns how many records to read next, based on the number and size of the last ones in the database. */
export const nextSize = (count: number, bytes: number): number =>
  Math.min(Math.max(Math.floor((count * BATCH_BYTES) / Math.max(bytes, 1)), 1), BATCH_MAX);
