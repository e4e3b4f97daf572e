/** Determines how values in a body are escaped, based on its content type. */

/** `lines` is one JSON document per line; `json5` is JSON with comments and single-quoted strings. */
export type Dialect = "json" | "lines" | "json5" | "xml" | "form" | "multipart" | "plain";

const PATTERNS: readonly (readonly [type: RegExp, dialect: Dialect])[] = [
  [/^(?:application|text)\/(?:x-)?(?:ndjson|ldjson|jsonl|jsonlines|json-lines|json-seq)$/, "lines"],
  [/\+json-seq$|^application\/(?:x-json-stream|stream\+json)$/, "lines"],
  [/^(?:application|text)\/(?:x-)?json$|\+json$/, "json"],
  [/^(?:application|text)\/(?:x-)?(?:json5|jsonc)$/, "json5"],
  [/^(?:application|text)\/(?:x-)?(?:xml|html|xml-external-parsed-entity)$|\+xml$/, "xml"],
  [/^application\/x-www-form-urlencoded$/, "form"],
  [/^multipart\//, "multipart"],
];

const typeIn = (contentType: string): string =>
  contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";

/**
 * Returns the dialect of a content type, such as "json" for `application/json; charset=utf-8`, or undefined if Leadport
 * does not know how to escape values in it.
 */
export const dialectOf = (contentType: string): Dialect | undefined => {
  const type = typeIn(contentType);
  return PATTERNS.find(([pattern]) => pattern.test(type))?.[1];
};

/**
 * Returns the dialect of a template stored before `raw_template` existed. At that time, fewer content types were
 * recognized, and values in all others were inserted unescaped.
 */
export function earlierDialectOf(contentType: string): Dialect {
  const type = typeIn(contentType);
  if (/^(?:application|text)\/(?:[\w.-]+\+)?json$/.test(type)) return "json";
  if (/^(?:application|text)\/(?:[\w.-]+\+)?xml$/.test(type) || type === "text/html") return "xml";
  return type === "application/x-www-form-urlencoded" ? "form" : "plain";
}

/** Escapes a value. `quoted` is true inside a JSON string. */
export type Escape = (value: string | null, quoted: boolean) => string;

const json: Escape = (value, quoted) =>
  quoted ? JSON.stringify(value ?? "").slice(1, -1) : JSON.stringify(value);

/**
 * Escapes a value so that it is still valid JSON but cannot end a comment, a single-quoted string or a line in any
 * parser.
 */
const looseJson: Escape = (value, quoted) =>
  json(value, quoted).replace(/['/\u0085\u2028\u2029]/g, (character) =>
    character === "/" ? "\\/" : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

const plain: Escape = (value) => value ?? "";

export const ESCAPES: Readonly<Record<Exclude<Dialect, "multipart">, Escape>> = {
  json,
  lines: looseJson,
  json5: looseJson,
  xml: (value) =>
    // XML 1.0 cannot represent control characters at all, and its parsers turn unescaped line
    // breaks in attributes into spaces.
    (value ?? "")
      .replace(/(?![\t\n\r])\p{Cc}|[\uFFFE\uFFFF]/gu, "")
      .replace(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`),
  form: (value) => new URLSearchParams([["", value ?? ""]]).toString().slice(1),
  plain,
};
