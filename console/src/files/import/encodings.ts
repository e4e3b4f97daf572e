/** The encodings that both the service and TextDecoder support, common ones first. */

export const ENCODINGS: readonly string[] = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "windows-1252",
  "windows-1250",
  "windows-1251",
  "windows-1253",
  "windows-1254",
  "windows-1255",
  "windows-1256",
  "windows-1257",
  "windows-1258",
  "windows-874",
  "iso-8859-2",
  "iso-8859-3",
  "iso-8859-4",
  "iso-8859-5",
  "iso-8859-6",
  "iso-8859-7",
  "iso-8859-8",
  "iso-8859-8-i",
  "iso-8859-10",
  "iso-8859-13",
  "iso-8859-14",
  "iso-8859-15",
  "iso-8859-16",
  "koi8-r",
  "koi8-u",
  "ibm866",
  "macintosh",
  "x-mac-cyrillic",
  "shift_jis",
  "euc-jp",
  "iso-2022-jp",
  "gb18030",
  "gbk",
  "big5",
  "euc-kr",
  "x-user-defined",
];

const PREVIEW_BYTES = 512 * 1024;
const LINES = 4;
const LINE_CHARACTERS = 200;

/**
 * Decodes the beginning of a file and returns a few lines. Prefers lines with non-ASCII characters, because only these
 * lines depend on the encoding.
 */
export async function linesIn(file: Blob, encoding: string): Promise<readonly string[]> {
  const bytes = new Uint8Array(await file.slice(0, PREVIEW_BYTES).arrayBuffer());
  const text = new TextDecoder(encoding).decode(bytes, { stream: true });
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== "");
  const telling = lines.filter((line) => /\P{ASCII}/u.test(line));
  const shown = telling.length > 0 ? telling : lines;
  return shown.slice(0, LINES).map((line) => line.slice(0, LINE_CHARACTERS));
}
