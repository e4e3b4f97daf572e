/** Orders PostgreSQL's log files. Their names are 24 hexadecimal digits: timeline, then log and segment. */

/** The number of 16 MB segments in each 4 GB log. */
const SEGMENTS = 256n;

export const timelineOf = (name: string): number => Number.parseInt(name.slice(0, 8), 16);

/** Returns a number that orders log files by their position in the log, regardless of the timeline. */
export const numberOf = (name: string): bigint =>
  BigInt(`0x${name.slice(8, 16)}`) * SEGMENTS + BigInt(`0x${name.slice(16, 24)}`);

/** Finds the first gap between `first` and the newest log file; undefined if there is none. */
export function gapAfter(first: string, names: readonly string[]): bigint | undefined {
  const places = new Set(names.map(numberOf));
  const newest = [...places].reduce((max, place) => (place > max ? place : max), 0n);
  for (let place = numberOf(first); place < newest; place += 1n) {
    if (!places.has(place)) return place;
  }
  return undefined;
}
