/** The part of a file that is checked: all of it, or of a large one its beginning in whole rows. */

const WHOLE_BYTES_MAX = 5 * 1024 * 1024;
const PART_BYTES = 2 * 1024 * 1024;

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;

/** The file itself where it is small; else what ends with its last whole row within some megabytes. */
export async function beginningOf(file: Blob): Promise<Blob> {
  if (file.size <= WHOLE_BYTES_MAX) return file;
  const bytes = new Uint8Array(await file.slice(0, PART_BYTES).arrayBuffer());
  return file.slice(0, endOfRows(bytes));
}

/** Where the last row ends that is whole: at a line end with as many quotes opened as closed. */
function endOfRows(bytes: Uint8Array): number {
  // A line end of UTF-16 has a zero byte before it (big endian) or behind it.
  const isWide = bytes.subarray(0, 200).includes(0);
  const lineEnd = bytes.includes(LINE_FEED) ? LINE_FEED : RETURN;
  let quotes = 0;
  let end = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] === QUOTE) quotes += 1;
    // Rows end at whole characters: an odd place is the second byte of one.
    else if (bytes[at] === lineEnd && quotes % 2 === 0) end = isWide ? at + 2 - (at % 2) : at + 1;
  }
  return end === 0 ? bytes.length : end;
}
