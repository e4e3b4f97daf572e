/**
 * Bytes of a file → text. The encoding is told by a byte order mark, by where zero bytes stand, or
 * by what the first bytes beyond ASCII are valid in (D10.5). Memory is constant.
 */

import { isAscii } from "node:buffer";

export const ENCODINGS = ["utf-8", "utf-16le", "utf-16be", "windows-1252"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** How much of a file is looked at before its encoding is decided. */
const HEAD_BYTES = 1024 * 1024;
/** Text in UTF-16 has a zero byte in every ASCII character; other encodings have none at all. */
const ZERO_SHARE = 0.02;
const ONE_SIDED = 0.95;

const MARKS: readonly (readonly [Encoding, Buffer])[] = [
  ["utf-8", Buffer.from([0xef, 0xbb, 0xbf])],
  ["utf-16le", Buffer.from([0xff, 0xfe])],
  ["utf-16be", Buffer.from([0xfe, 0xff])],
];

/** How a ZIP archive begins, and so a workbook of a spreadsheet program. */
const ARCHIVE = Buffer.from("PK\u0003\u0004");

export interface Decoded {
  readonly encoding: Encoding;
  readonly isArchive: boolean;
  readonly text: AsyncIterable<string>;
}

/**
 * Decodes a stream of bytes. Damaged bytes become U+FFFD, so that one of them costs a
 * character and not the file; the row that holds it is taken with a warning.
 */
export async function decode(
  bytes: AsyncIterable<Uint8Array>,
  { encoding }: { readonly encoding?: Encoding | undefined } = {},
): Promise<Decoded> {
  const source = bytes[Symbol.asyncIterator]();
  const head = await takeHead(source);
  const known = encoding ?? detectEncoding(head, head.length < HEAD_BYTES);
  const isArchive = head.subarray(0, ARCHIVE.length).equals(ARCHIVE);
  return { encoding: known, isArchive, text: decodeAll(head, source, known) };
}

/** What a file that begins with these bytes, or is no more than them, is encoded in. */
export function detectEncoding(head: Buffer, isWhole: boolean): Encoding {
  const mark = MARKS.find(([, bytes]) => head.subarray(0, bytes.length).equals(bytes));
  if (mark !== undefined) return mark[0];
  const wide = wideEncoding(head);
  if (wide !== undefined) return wide;
  const { valid, damaged } = countSequences(head, isWhole);
  return damaged > valid ? "windows-1252" : "utf-8";
}

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

/** Counts the multi-byte sequences that UTF-8 allows and the bytes that it does not. */
function countSequences(
  head: Buffer,
  isWhole: boolean,
): { readonly valid: number; readonly damaged: number } {
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
    // The head may end in the middle of a sequence: that is no damage, and says nothing.
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

async function takeHead(source: AsyncIterator<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (size < HEAD_BYTES) {
    const { done, value } = await source.next();
    if (done === true) break;
    chunks.push(value);
    size += value.length;
  }
  return Buffer.concat(chunks);
}

/**
 * Text that has been ASCII so far may turn out to be Windows-1252 later; until the first byte
 * beyond ASCII both read the same, so UTF-8 may still be left there.
 */
async function* decodeAll(
  head: Buffer,
  source: AsyncIterator<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<string> {
  let decoder = new TextDecoder(encoding);
  let ascii = encoding === "utf-8";
  try {
    for (let chunk: Uint8Array | undefined = head; chunk !== undefined;) {
      if (ascii && !isAscii(chunk)) {
        ascii = false;
        if (chunk !== head && detectEncoding(Buffer.from(chunk), false) === "windows-1252") {
          decoder = new TextDecoder("windows-1252");
        }
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
