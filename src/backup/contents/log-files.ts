/** Orders PostgreSQL's log files. Their names are 24 hexadecimal digits: timeline, then log and segment. */

/** The number of 16 MB segments in each 4 GB log. */
const SEGMENTS = 256n;
const SEGMENT_bytes = 16n * 1024n * 1024n;

export const timelineOf = (name: string): number => Number.parseInt(name.slice(0, 8), 16);

/** Returns a number that orders log files by their position in the log, regardless of the timeline. */
export const numberOf = (name: string): bigint =>
  BigInt(`0x${name.slice(8, 16)}`) * SEGMENTS + BigInt(`0x${name.slice(16, 24)}`);

/** Returns the name of the file that contains the history of a timeline. */
export const timelineFile = (timeline: number): string =>
  `${timeline.toString(16).toUpperCase().padStart(8, "0")}.history`;

/** Reads from the history of a later timeline in which log file a timeline ended. Undefined if it was not part of it. */
export function endOfTimeline(timeline: number, history: string): bigint | undefined {
  for (const [, id, log = "", offset = ""] of history.matchAll(
    /^(\d+)\t([0-9A-F]+)\/([0-9A-F]+)/gm,
  )) {
    if (Number(id) !== timeline) continue;
    return BigInt(`0x${log}`) * SEGMENTS + BigInt(`0x${offset}`) / SEGMENT_bytes;
  }
  return undefined;
}

/**
 * Finds the first gap between `first` and the newest log file; undefined if there is none. Ignores earlier timelines:
 * their files do not belong to the history of `first`.
 */
export function gapAfter(first: string, names: readonly string[]): bigint | undefined {
  const ours = names.filter((name) => timelineOf(name) >= timelineOf(first));
  const places = new Set(ours.map(numberOf));
  const newest = [...places].reduce((max, place) => (place > max ? place : max), 0n);
  for (let place = numberOf(first); place < newest; place += 1n) {
    if (!places.has(place)) return place;
  }
  return undefined;
}
