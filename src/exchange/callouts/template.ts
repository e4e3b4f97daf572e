/**
 * Body templates with `{{placeholders}}`. Values are escaped for the content type and their
 * position, so that no value can change the structure of the body.
 */

import { dialectOf, earlierDialectOf, ESCAPES, type Dialect } from "./template-dialect.ts";
import { boundaryIn, hasParts, withCrlf, writeAfter, type Write } from "./template-multipart.ts";

export type TemplateValues = Readonly<Record<string, string | null>>;

/** The properties that determine how a template's values are escaped. */
export interface TemplateRule {
  readonly contentType: string;
  /**
   * If true, values are inserted unescaped. Allowed only for content types that Leadport cannot escape. Null in
   * templates stored before this option existed.
   */
  readonly raw: boolean | null;
  readonly names: readonly string[];
}

type Part = { readonly text: string } | { readonly name: string; readonly write: Write };
export type Template = readonly Part[];

/**
 * Spaces around names are trimmed later rather than matched here, because matching would be very slow for a template
 * that consists only of spaces.
 */
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/** The maximum number of placeholders. Limits the size of rendered bodies, because many are rendered concurrently. */
const PLACEHOLDERS_MAX = 100;

/** Parses a template. Throws a TemplateError that explains the problem and how to fix it. */
export function readTemplate(text: string, rule: TemplateRule): Template {
  const found = [...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => name.trim());
  refuseNames(found, rule.names);
  const { contentType } = rule;
  const dialect = usedDialect(rule);
  if (dialect === undefined) {
    if (found.length === 0) return [{ text }];
    throw new TemplateError(
      `no escaping is known for ${contentType}; use JSON, XML, HTML or a form, or set raw_template to insert values unescaped`,
    );
  }
  if (dialect === "multipart") return readMultipart(text, contentType);
  const template = partsOf(text, dialect);
  if (dialect === "json") refuseBrokenJson(template, rule.names, (body) => [body]);
  if (dialect === "lines") refuseBrokenJson(template, rule.names, linesOf);
  return template;
}

export class TemplateError extends Error {}

function refuseNames(found: readonly string[], names: readonly string[]): void {
  if (found.length > PLACEHOLDERS_MAX) {
    throw new TemplateError(
      `the template has ${found.length} placeholders; the maximum is ${PLACEHOLDERS_MAX}`,
    );
  }
  const unknown = found.filter((name) => !names.includes(name));
  if (unknown.length === 0) return;
  const listed = [...new Set(unknown)].map((name) => `{{${name}}}`).join(", ");
  throw new TemplateError(
    `unknown placeholder ${listed}; available are ${names.map((name) => `{{${name}}}`).join(", ")}`,
  );
}

const usedDialect = ({ contentType, raw }: TemplateRule): Dialect | undefined => {
  if (raw === null) return earlierDialectOf(contentType);
  return dialectOf(contentType) ?? (raw ? "plain" : undefined);
};

/**
 * Splits a template into literal parts and placeholders. `made` receives each placeholder's name and offset and returns
 * the part that replaces it.
 */
function split(text: string, made: (name: string, at: number) => Part): Template {
  const parts: Part[] = [];
  let at = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    parts.push({ text: text.slice(at, match.index) });
    parts.push(made(match[1]?.trim() ?? "", match.index));
    at = match.index + match[0].length;
  }
  return [...parts, { text: text.slice(at) }];
}

function partsOf(text: string, dialect: Exclude<Dialect, "multipart">): Template {
  const escape = ESCAPES[dialect];
  const scan = dialect === "json5" ? scanJson5 : scanJson;
  let [place, scanned]: [Place, number] = ["", 0];
  return split(text, (name, at) => {
    place = scan(text.slice(scanned, at), place);
    scanned = at;
    if (place === "//" || place === "/*") {
      throw new TemplateError("a placeholder cannot be in a comment");
    }
    const quoted = place !== "";
    return { name, write: (value) => escape(value, quoted) };
  });
}

function readMultipart(text: string, contentType: string): Template {
  const boundary = boundaryIn(contentType);
  if (boundary === undefined) {
    throw new TemplateError(
      `${contentType} needs a boundary; add one such as "; boundary=leadport-7f3a"`,
    );
  }
  if (!hasParts(text, boundary)) {
    throw new TemplateError(
      `each part must start with the line --${boundary}, and the body must end with --${boundary}--`,
    );
  }
  const whole = withCrlf(text);
  return split(whole, (name, at) => {
    const before = whole.slice(0, at);
    const quoted = scanJson(before.slice(partStart(before, boundary)), "") !== "";
    const write = writeAfter(before, boundary, quoted);
    if (write === undefined) {
      throw new TemplateError("a part with a placeholder must be text/plain, JSON, XML or a form");
    }
    return { name, write };
  });
}

/** Returns the offset at which the body of the last part starts. */
const partStart = (text: string, boundary: string): number =>
  text.indexOf("\r\n\r\n", Math.max(0, text.lastIndexOf(`--${boundary}\r\n`))) + 4;

/** Where a scanned text ends: outside strings, in a string (identified by its quote), or in a comment. */
type Place = "" | '"' | "'" | "//" | "/*";

function scanJson(text: string, from: Place): Place {
  let place = from;
  for (let at = 0; at < text.length; at += 1) {
    if (place === '"' && text[at] === "\\") at += 1;
    else if (text[at] === '"') place = place === '"' ? "" : '"';
  }
  return place;
}

/** Like scanJson, but with single-quoted strings and comments. */
function scanJson5(text: string, from: Place): Place {
  let place = from;
  for (let at = 0; at < text.length; at += 1) {
    const [one = "", two] = [text[at], text.slice(at, at + 2)];
    if (place === '"' || place === "'") {
      if (one === "\\") at += 1;
      else if (one === place) place = "";
    } else if (place === "//") {
      if (/[\r\n\u2028\u2029]/.test(one)) place = "";
    } else if (place === "/*") {
      if (two === "*/") [place, at] = ["", at + 1];
    } else if (two === "//" || two === "/*") [place, at] = [two, at + 1];
    else if (one === '"' || one === "'") place = one;
  }
  return place;
}

/** Values for testing templates. If a template renders correctly with each of them, it does so with any value. */
const BREAKING_VALUES: readonly (string | null)[] = ['"}\\\n{{name}}', "1", "", null];

/** Returns the lines of NDJSON, or the records of a JSON text sequence (RFC 7464). */
const linesOf = (body: string): readonly string[] =>
  body
    .replaceAll("\u001e", "\n")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

function refuseBrokenJson(
  template: Template,
  names: readonly string[],
  documentsOf: (body: string) => readonly string[],
): void {
  for (const value of BREAKING_VALUES) {
    const body = renderTemplate(template, Object.fromEntries(names.map((name) => [name, value])));
    try {
      for (const document of documentsOf(body)) JSON.parse(document);
    } catch (error) {
      throw new TemplateError(
        `the content type is JSON, but this does not render to valid JSON: ${(error as Error).message}`,
      );
    }
  }
}

/** Renders the body. Null becomes `null` where JSON allows it. Elsewhere, it becomes an empty string. */
export const renderTemplate = (template: Template, values: TemplateValues): string =>
  template.reduce(
    (body, part) =>
      body + ("text" in part ? part.text : part.write(values[part.name] ?? null, body)),
    "",
  );
