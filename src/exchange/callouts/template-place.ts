/**
 * Scans a template up to a placeholder. Finds out whether the placeholder is in quotes, and rejects placeholders where a
 * value could change the structure of the body.
 */

import type { Dialect } from "./template-dialect.ts";

export class TemplateError extends Error {}

/**
 * Where a scanned text ends: outside everything, in quotes, in an unfinished escape sequence (`\`), or in a comment or
 * markup, which is identified by its start.
 */
export type Place = "" | '"' | "'" | "\\" | "//" | "/*" | "<" | "<!--" | "<![CDATA[";

type Scan = (text: string, from: Place) => Place;

const IN_COMMENT = "a placeholder cannot be in a comment";

/** Places where a placeholder is rejected, with the error message. */
const REFUSED: Partial<Record<Place, string>> = {
  "\\": "a placeholder cannot follow a backslash or be part of an escape sequence",
  "//": IN_COMMENT,
  "/*": IN_COMMENT,
  "<!--": IN_COMMENT,
  "<![CDATA[": "a placeholder cannot be in a CDATA section, because values are escaped",
  "<": "a placeholder in a tag must be in a quoted attribute value",
};

/** Returns the place of a placeholder after `text`. Throws TemplateError if it cannot be there. */
export function placeAfter(
  text: string,
  from: Place,
  dialect: Exclude<Dialect, "multipart">,
): Place {
  const place = SCANS[dialect](text, from);
  const fault = REFUSED[place];
  if (fault !== undefined) throw new TemplateError(fault);
  return place;
}

/** The start of an escape sequence that the rest of the text does not finish. */
const UNFINISHED = /^\\(?:u[\da-f]{0,3}|x[\da-f]?)?$/i;
/** Longer than any match of UNFINISHED. */
const ESCAPE_MAX = 8;

const isUnfinished = (text: string, at: number): boolean =>
  UNFINISHED.test(text.slice(at, at + ESCAPE_MAX));

const scanJson: Scan = (text, from) => {
  let place = from;
  for (let at = 0; at < text.length; at += 1) {
    if (place === '"' && text[at] === "\\") {
      if (isUnfinished(text, at)) return "\\";
      at += 1;
    } else if (text[at] === '"') place = place === '"' ? "" : '"';
  }
  return place;
};

/** Like scanJson, but with single-quoted strings and comments. */
const scanJson5: Scan = (text, from) => {
  let place = from;
  for (let at = 0; at < text.length; at += 1) {
    const one = text[at] ?? "";
    const two = text.slice(at, at + 2);
    if (place === '"' || place === "'") {
      if (one === "\\") {
        if (isUnfinished(text, at)) return "\\";
        at += 1;
      } else if (one === place) place = "";
    } else if (place === "//") {
      if (/[\r\n\u2028\u2029]/.test(one)) place = "";
    } else if (place === "/*") {
      if (two === "*/") {
        place = "";
        at += 1;
      }
    } else if (two === "//" || two === "/*") {
      place = two;
      at += 1;
    } else if (one === '"' || one === "'") place = one;
  }
  return place;
};

/** Scans XML and HTML. Quotes count only in tags. */
const scanXml: Scan = (text, from) => {
  let place = from;
  for (let at = 0; at < text.length; at += 1) {
    const one = text[at];
    const has = (mark: string): boolean => text.startsWith(mark, at);
    if (place === "<!--") {
      if (has("-->")) place = "";
    } else if (place === "<![CDATA[") {
      if (has("]]>")) place = "";
    } else if (place === "<") {
      if (one === ">") place = "";
      else if (one === '"' || one === "'") place = one;
    } else if (place !== "") {
      if (one === place) place = "<";
    } else if (one === "<") {
      place = has("<!--") ? "<!--" : has("<![CDATA[") ? "<![CDATA[" : "<";
    }
  }
  return place;
};

const scanNothing: Scan = () => "";

const SCANS: Readonly<Record<Exclude<Dialect, "multipart">, Scan>> = {
  json: scanJson,
  lines: scanJson,
  json5: scanJson5,
  xml: scanXml,
  form: scanNothing,
  plain: scanNothing,
};
