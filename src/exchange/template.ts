/**
 * Body templates with `{{placeholders}}` (D9.4). A value lands escaped for the content type and for
 * where it stands, so that no name can break out of it.
 */

export type TemplateValues = Readonly<Record<string, string | null>>;

/** How a value is written in a body of a content type. */
type Dialect = "json" | "xml" | "form" | "plain";

type Part =
  | { readonly text: string }
  /** `quoted`: inside a string of JSON. */
  | { readonly name: string; readonly quoted: boolean };

export interface Template {
  readonly dialect: Dialect;
  readonly parts: readonly Part[];
}

/** `application/json; charset=utf-8` → how values are escaped in such a body. */
export function dialectOf(contentType: string): Dialect {
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  if (/^(?:application|text)\/(?:[\w.-]+\+)?json$/.test(type)) return "json";
  if (/^(?:application|text)\/(?:[\w.-]+\+)?xml$/.test(type) || type === "text/html") return "xml";
  return type === "application/x-www-form-urlencoded" ? "form" : "plain";
}

/** Spaces around a name are trimmed and not matched: a template of nothing else would take for ever. */
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/** A body stays of a size that many can be made of at once, whatever the values are. */
const PLACEHOLDERS_MAX = 100;

/** Reads a template; throws a TemplateError that says what is wrong and what would be right. */
export function readTemplate(
  text: string,
  { contentType, names }: { readonly contentType: string; readonly names: readonly string[] },
): Template {
  const found = [...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => name.trim());
  if (found.length > PLACEHOLDERS_MAX) {
    throw new TemplateError(
      `there are ${found.length} placeholders; at most ${PLACEHOLDERS_MAX} may be used`,
    );
  }
  const unknown = found.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    const told = [...new Set(unknown)].map((name) => `{{${name}}}`).join(", ");
    throw new TemplateError(
      `there is no placeholder ${told}; there are ${names.map((name) => `{{${name}}}`).join(", ")}`,
    );
  }
  const dialect = dialectOf(contentType);
  const template = { dialect, parts: partsOf(text) };
  if (dialect === "json") refuseBrokenJson(template, names);
  return template;
}

export class TemplateError extends Error {}

function partsOf(text: string): readonly Part[] {
  const parts: Part[] = [];
  let [at, quoted] = [0, false];
  for (const match of text.matchAll(PLACEHOLDER)) {
    const before = text.slice(at, match.index);
    quoted = isQuotedAfter(before, quoted);
    parts.push({ text: before }, { name: match[1]?.trim() ?? "", quoted });
    at = match.index + match[0].length;
  }
  return [...parts, { text: text.slice(at) }];
}

/** Whether a string of JSON is open behind a text, which began in one or not. */
function isQuotedAfter(text: string, quoted: boolean): boolean {
  let isOpen = quoted;
  for (let at = 0; at < text.length; at += 1) {
    if (isOpen && text[at] === "\\") at += 1;
    else if (text[at] === '"') isOpen = !isOpen;
  }
  return isOpen;
}

/** Values that break what can be broken: what renders with them renders with all. */
const AWKWARD: readonly (string | null)[] = ['"}\\\n{{name}}', "1", "", null];

function refuseBrokenJson(template: Template, names: readonly string[]): void {
  for (const value of AWKWARD) {
    const body = renderTemplate(template, Object.fromEntries(names.map((name) => [name, value])));
    try {
      JSON.parse(body);
    } catch (error) {
      throw new TemplateError(
        `this renders to no valid JSON, which its content type says it is: ${(error as Error).message}`,
      );
    }
  }
}

/** The body for these values; what is null is empty, and null where JSON has room for it. */
export const renderTemplate = ({ dialect, parts }: Template, values: TemplateValues): string =>
  parts
    .map((part) =>
      "text" in part ? part.text : ESCAPES[dialect](values[part.name] ?? null, part.quoted),
    )
    .join("");

const ESCAPES: Readonly<Record<Dialect, (value: string | null, quoted: boolean) => string>> = {
  json: (value, quoted) =>
    quoted ? JSON.stringify(value ?? "").slice(1, -1) : JSON.stringify(value),
  xml: (value) =>
    // XML 1.0 has no way to write these at all; unescaped line breaks in an attribute become spaces.
    (value ?? "")
      .replace(/(?![\t\n\r])\p{Cc}|[\uFFFE\uFFFF]/gu, "")
      .replace(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`),
  form: (value) => new URLSearchParams([["", value ?? ""]]).toString().slice(1),
  plain: (value) => value ?? "",
};
