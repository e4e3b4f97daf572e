/**
 * Inserts values into a multipart body (RFC 2046, RFC 7578). Multipart has no escaping. Values that could end a header
 * or start a line that looks like a delimiter are therefore changed. In JSON, XML and form parts, values are also
 * escaped for that format.
 */

import { type Dialect, dialectOf, ESCAPES } from "./template-dialect.ts";
import { placeAfter } from "./template-place.ts";

/** Formats a value for insertion into a body. `before` is the part of the body before the value. */
export type Write = (value: string | null, before: string) => string;

/** Returns the boundary in a content type, or undefined if there is none. */
export const boundaryIn = (contentType: string): string | undefined => {
  const found = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType);
  return found?.[1] ?? found?.[2];
};

/** Lines of a multipart body end with CRLF. */
export const withCrlf = (text: string): string => text.replace(/\r\n|\r|\n/g, "\r\n");

/** Whether a template contains at least one delimiter and the closing one. */
export const hasParts = (text: string, boundary: string): boolean => {
  const lines = withCrlf(text).split("\r\n");
  return lines.includes(`--${boundary}`) && lines.includes(`--${boundary}--`);
};

/**
 * Returns the function that writes a placeholder's value after `text`, or undefined if Leadport does not know how to
 * escape values in the part's content type. Throws TemplateError if a placeholder cannot be there.
 */
export function writeAfter(text: string, boundary: string): Write | undefined {
  const lines = withCrlf(text).split("\r\n");
  const part = lines.slice(lines.lastIndexOf(`--${boundary}`) + 1);
  const end = part.indexOf("");
  if (end === -1 || !lines.includes(`--${boundary}`)) return (value) => headerText(value ?? "");
  const type = part
    .slice(0, end)
    .map((line) => /^content-type:(.*)$/is.exec(line)?.[1]?.trim())
    .find((found) => found !== undefined && found !== "");
  const dialect = partDialect(type ?? "text/plain");
  if (dialect === undefined) return undefined;
  const quoted = placeAfter(part.slice(end + 1).join("\r\n"), "", dialect) !== "";
  return (value, before) => partText(ESCAPES[dialect](value, quoted), before);
}

function partDialect(contentType: string): Exclude<Dialect, "multipart"> | undefined {
  if (/^text\/plain\b/i.test(contentType)) return "plain";
  const dialect = dialectOf(contentType);
  return dialect === "multipart" ? undefined : dialect;
}

/** Escapes field and file names as browsers do (HTML, "multipart/form-data encoding algorithm"). */
const headerText = (value: string): string =>
  value.replace(/[\r\n"]/g, (character) => encodeURIComponent(character));

/** Removes the line breaks at the end of a text. A regular expression would take quadratic time for many of them. */
function withoutLastBreaks(text: string): string {
  let end = text.length;
  while (text.endsWith("\r\n", end)) end -= 2;
  return text.slice(0, end);
}

/** Puts a space before each line that starts with a hyphen, so that no delimiter can start there. */
function partText(value: string, before: string): string {
  const text = withoutLastBreaks(withCrlf(value)).replace(/\r\n(?=-)/g, "\r\n ");
  const hyphens = /(?:^|[\r\n])(-*)$/.exec(before.slice(-200))?.[1];
  const isDelimiterLike = hyphens !== undefined && (hyphens !== "" || text.startsWith("-"));
  return isDelimiterLike && text !== "" ? ` ${text}` : text;
}
