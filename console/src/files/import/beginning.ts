/** Selects the part of a file to check: the whole file, or the complete rows at the beginning of a large file. */

const WHOLE_BYTES_MAX = 5 * 1024 * 1024;
const PART_BYTES = 2 * 1024 * 1024;

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;

/**
 * Returns a small file unchanged. For a large file, returns the first megabytes, up to the end of a
 * row.
 */
export async function beginningOf(file: Blob): Promise<Blob> {
  if (file.size <= WHOLE_BYTES_MAX) return file;
  const bytes = new Uint8Array(await file.slice(0, PART_BYTES).arrayBuffer());
  return file.slice(0, endOfRows(bytes));
}

/** Finds the end of the last complete row: a line end with an even number of quotes before it. */
function endOfRows(bytes: Uint8Array): number {
  // In UTF-16, one byte of each ASCII character is zero: the first byte in UTF-16BE, the second byte in UTF-16LE.
  const isWide = bytes.subarray(0, 200).includes(0);
  const lineEnd = bytes.includes(LINE_FEED) ? LINE_FEED : RETURN;
  let quotes = 0;
  let end = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] === QUOTE) quotes += 1;
    // A row ends after a whole character. In UTF-16, an odd position is the second byte of a
    // character.
    else if (bytes[at] === lineEnd && quotes % 2 === 0) end = isWide ? at + 2 - (at % 2) : at + 1;
  }
  return end === 0 ? bytes.length : end;
}
