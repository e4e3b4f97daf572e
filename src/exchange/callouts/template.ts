/**
 * Body templates with `{{placeholders}}`. Values are escaped for the content type and their
 * position, so that no value can change the structure of the body.
 */

import { dialectOf, earlierDialectOf, ESCAPES, type Dialect } from "./template-dialect.ts";
import { boundaryIn, hasParts, withCrlf, writeAfter, type Write } from "./template-multipart.ts";
import { type Place, placeAfter, TemplateError } from "./template-place.ts";
import { messageOf } from "../../platform/errors/index.ts";

export { TemplateError };

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
  // XML templates stored before `raw_template` existed may contain placeholders anywhere.
  const scanned = rule.raw === null && dialect === "xml" ? "plain" : dialect;
  const template = partsOf(text, dialect, scanned);
  if (dialect === "json") refuseBrokenJson(template, rule.names, (body) => [body]);
  if (dialect === "lines") refuseBrokenJson(template, rule.names, linesOf);
  return template;
}

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

/** `scanned` is the dialect whose rules for the places of placeholders apply. */
function partsOf(
  text: string,
  dialect: Exclude<Dialect, "multipart">,
  scanned: Exclude<Dialect, "multipart">,
): Template {
  const escape = ESCAPES[dialect];
  let place: Place = "";
  let end = 0;
  return split(text, (name, at) => {
    place = placeAfter(text.slice(end, at), place, scanned);
    end = at;
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
    const write = writeAfter(whole.slice(0, at), boundary);
    if (write === undefined) {
      throw new TemplateError("a part with a placeholder must be text/plain, JSON, XML or a form");
    }
    return { name, write };
  });
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
        `the content type is JSON, but this does not render to valid JSON: ${messageOf(error)}`,
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
