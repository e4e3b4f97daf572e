/**
 * Decodes the bytes of a file in constant memory. A byte order mark, zero bytes or valid UTF-8 determine the encoding.
 * Without any of them, the most likely encoding is guessed.
 */

import { isAscii } from "node:buffer";
import { encodingOf, guessEncoding } from "./encodings.ts";

/** The name of an encoding, as TextDecoder uses it. */
export type Encoding = string;

/** The maximum number of bytes examined to determine a file's encoding. */
const HEAD_BYTES = 1024 * 1024;
/** If these are all ASCII, the maximum number of bytes examined from the first non-ASCII byte on. */
const LATE_BYTES = 64 * 1024;
/**
 * The minimum share of zero bytes in UTF-16. ASCII characters contain one in UTF-16, and text in other encodings
 * contains none.
 */
const ZERO_SHARE = 0.02;
const ONE_SIDED = 0.95;

const MARKS: readonly (readonly [Encoding, Buffer])[] = [
  ["utf-8", Buffer.from([0xef, 0xbb, 0xbf])],
  ["utf-16le", Buffer.from([0xff, 0xfe])],
  ["utf-16be", Buffer.from([0xfe, 0xff])],
];

/** The signature of ZIP archives. Excel workbooks are ZIP archives, too. */
const ARCHIVE = Buffer.from("PK\u0003\u0004");

export interface Decoded {
  readonly encoding: Encoding;
  /**
   * Returns the encoding if it was only guessed. For a file that starts with ASCII, it may be undefined until more of
   * the text has been read.
   */
  readonly guessed: () => Encoding | undefined;
  readonly isArchive: boolean;
  readonly text: AsyncIterable<string>;
}

/**
 * Decodes a stream of bytes. Invalid bytes become U+FFFD, so that they do not make the whole file unreadable. Rows that
 * contain this character are imported with a warning.
 */
export async function decode(
  bytes: AsyncIterable<Uint8Array>,
  { encoding }: { readonly encoding?: Encoding | undefined } = {},
): Promise<Decoded> {
  const source = bytes[Symbol.asyncIterator]();
  const start = await takeBytes(source, HEAD_BYTES);
  const head = start.subarray(0, HEAD_BYTES);
  const stated = encoding === undefined ? undefined : (encodingOf(encoding) ?? encoding);
  const shown = stated ?? detectEncoding(head, head.length < HEAD_BYTES);
  const known = shown ?? (await guessEncoding(head));
  const guess = { encoding: shown === undefined ? known : undefined };
  const isArchive = head.subarray(0, ARCHIVE.length).equals(ARCHIVE);
  const mayChange = stated === undefined && known === "utf-8" && isAscii(head);
  const text = decodeAll(start, source, known, mayChange ? guess : undefined);
  return { encoding: known, guessed: () => guess.encoding, isArchive, text };
}

/**
 * Returns the encoding that a file's bytes prove, or undefined if it is uncertain. `head` is the start of the file, or
 * the whole file if `isWhole`.
 */
export function detectEncoding(head: Buffer, isWhole: boolean): Encoding | undefined {
  const mark = MARKS.find(([, bytes]) => head.subarray(0, bytes.length).equals(bytes));
  if (mark !== undefined) return mark[0];
  const wide = wideEncoding(head);
  if (wide !== undefined) return wide;
  const { valid, damaged } = countSequences(head, isWhole);
  const isShifted = valid === 0 && head.includes(SHIFT);
  return damaged > valid || isShifted ? undefined : "utf-8";
}

/** The bytes that introduce Japanese characters in ISO-2022-JP, an encoding that consists only of ASCII bytes. */
const SHIFT = Buffer.from("\u001B$");

function wideEncoding(head: Buffer): Encoding | undefined {
  const sample = head.subarray(0, 64 * 1024);
  let even = 0;
  let odd = 0;
  for (let at = 0; at < sample.length; at += 1) {
    if (sample[at] !== 0) continue;
    if (at % 2 === 0) even += 1;
    else odd += 1;
  }
  const zeros = even + odd;
  if (zeros === 0 || zeros < sample.length * ZERO_SHARE) return undefined;
  if (odd >= zeros * ONE_SIDED) return "utf-16le";
  return even >= zeros * ONE_SIDED ? "utf-16be" : undefined;
}

/** Counts the valid multi-byte sequences and the invalid bytes in UTF-8. */
function countSequences(head: Buffer, isWhole: boolean) {
  let valid = 0;
  let damaged = 0;
  let at = 0;
  while (at < head.length) {
    const length = sequenceLength(head[at] ?? 0);
    if (length === 1) {
      at += 1;
      continue;
    }
    const end = Math.min(at + length, isWhole ? Infinity : head.length);
    const whole = length > 1 && end <= head.length && isContinued(head, at + 1, end);
    // The sample may end in the middle of a sequence. A partial sequence proves nothing.
    if (whole && at + length > head.length) break;
    if (whole) valid += 1;
    else damaged += 1;
    at += whole ? length : 1;
  }
  return { valid, damaged };
}

function sequenceLength(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
}

function isContinued(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    if (((bytes[at] ?? 0) & 0xc0) !== 0x80) return false;
  }
  return true;
}

/** Returns the next bytes: at least this many, unless the source ends. */
async function takeBytes(source: AsyncIterator<Uint8Array>, least: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (size < least) {
    const { done, value } = await source.next();
    if (done === true) break;
    chunks.push(value);
    size += value.length;
  }
  return Buffer.concat(chunks);
}

/**
 * Decodes the text. A file that starts with ASCII may later turn out not to be UTF-8. In that case, the encoding is
 * guessed at the first non-ASCII byte, because all likely encodings decode ASCII identically. The guess does not depend
 * on how the bytes are divided into chunks. It is stored in `guess`, which is undefined if the encoding is certain.
 */
async function* decodeAll(
  start: Buffer,
  source: AsyncIterator<Uint8Array>,
  encoding: Encoding,
  guess: { encoding: Encoding | undefined } | undefined,
): AsyncGenerator<string> {
  let decoder = new TextDecoder(encoding);
  // Set as long as all bytes have been ASCII.
  let unsure = guess;
  try {
    for (let chunk: Uint8Array | undefined = start; chunk !== undefined;) {
      if (unsure !== undefined && !isAscii(chunk)) {
        const bytes: Buffer = Buffer.concat([chunk, await takeBytes(source, LATE_BYTES)]);
        const first = bytes.findIndex((byte) => byte > 0x7f);
        const sample = bytes.subarray(first, first + LATE_BYTES);
        if (detectEncoding(sample, sample.length < LATE_BYTES) === undefined) {
          unsure.encoding = await guessEncoding(sample);
          decoder = new TextDecoder(unsure.encoding);
        }
        unsure = undefined;
        chunk = bytes;
      }
      const text = decoder.decode(chunk, { stream: true });
      if (text !== "") yield text;
      const next: IteratorResult<Uint8Array> = await source.next();
      chunk = next.done === true ? undefined : next.value;
    }
    const rest = decoder.decode();
    if (rest !== "") yield rest;
  } finally {
    await source.return?.();
  }
}
