/**
 * Callouts are calls to a tenant's own endpoint. The import webhook and the duplicate check share this code. Header
 * values may be secrets, so they are stored encrypted and masked in responses.
 */

import { AGENT } from "../../delivery/index.ts";
import { asObject, isObject, type Json, type JsonObject } from "../../platform/json/index.ts";
import { urlFault, type OutgoingRequest } from "../../platform/outgoing/index.ts";
import { type Fault, type Schema, valueError } from "../../platform/validation/index.ts";
import {
  boolean,
  type Members,
  nullable,
  number,
  type Schemas,
  string,
} from "../../platform/schemas/index.ts";
import { dialectOf } from "./template-dialect.ts";
import { readTemplate, renderTemplate, TemplateError, type TemplateValues } from "./template.ts";

/** A callout in responses. */
export const CALLOUT = {
  enabled: boolean("Whether it is enabled."),
  url: nullable(string("The URL.")),
  method: string("The HTTP method.", { enum: ["POST", "PUT"] }),
  headers: {
    type: "object",
    additionalProperties: { type: "string" },
    description: "Header names and values. Values are shown as `***`.",
  },
  body_template: string("The template of the request body."),
  raw_template: nullable(
    boolean(
      "Whether values are inserted without escaping. Null if the template was saved by a version without this setting.",
    ),
  ),
  timeout_s: number("The request timeout, in seconds."),
} as const satisfies Schemas;

export type Callout = Members<typeof CALLOUT>;

export const MASK = "***";

const JSON_TYPE = "application/json";
const HEADERS_MAX = 50;
const VALUE_MAX = 4096;
const TEMPLATE_MAX = 65_536;
const TIMEOUT_MAX_s = 30;
export const TIMEOUT_s = 10;

/** In RFC 9110, a header name is a token, and its value consists of visible characters with spaces between them. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/;
/** The media type, which determines how values are escaped. */
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(?:;.*)?$/;
/** Headers that tenants cannot set. Only Leadport and the HTTP connection may set them. */
const RESERVED =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*|webhook-.*)$/i;

/** A callout in a request body. Null and missing members get their defaults. */
export type SentCallout = { readonly [K in keyof Callout]?: Callout[K] | null };

/** Returns the schemas of a callout's members in a request body. */
export const calloutProperties = (names: readonly string[]) =>
  ({
    enabled: CALLOUT.enabled,
    url: nullable(string("An https URL with a public address.", { maxLength: 2048 })),
    method: nullable(CALLOUT.method),
    headers: {
      type: ["object", "null"],
      maxProperties: HEADERS_MAX,
      additionalProperties: { type: "string", maxLength: VALUE_MAX },
      description:
        `Header names and values. Values are stored encrypted and returned as \`${MASK}\`. Send \`${MASK}\` to keep ` +
        "a stored value. If you change the scheme, host or port of `url`, send the value itself.",
    },
    body_template: nullable(
      string(`The body, with ${names.map((name) => `{{${name}}}`).join(", ")}.`, {
        maxLength: TEMPLATE_MAX,
      }),
    ),
    raw_template: {
      ...CALLOUT.raw_template,
      description:
        "Insert values without escaping. Required for a Content-Type other than JSON, XML, HTML and forms.",
    },
    timeout_s: nullable(
      number("The request timeout, in seconds.", { minimum: 1, maximum: TIMEOUT_MAX_s }),
    ),
  }) as const satisfies Record<keyof Callout, Schema>;

export const contentTypeOf = <T>(headers: Readonly<Record<string, T>>): T | string =>
  Object.entries(headers).find(([name]) => isNamed(name, "content-type"))?.[1] ?? JSON_TYPE;

/** The rules for checking a callout's members. */
export interface CalloutRule {
  /** The available placeholders. */
  readonly names: readonly string[];
  /** Private hosts, addresses and ranges to which the installation allows callouts. */
  readonly allow: readonly string[];
  readonly defaults: Pick<Callout, "body_template">;
}

/** Finds errors in a callout's members that JSON Schema cannot detect. */
export function calloutFaults(
  body: Json,
  { names, allow, defaults }: CalloutRule,
): readonly Fault[] {
  if (!isObject(body)) return [];
  const { enabled, url = null, headers = null, body_template, raw_template } = body;
  const template = body_template ?? defaults.body_template;
  const badUrl = typeof url === "string" ? urlFault(url, { allow }) : undefined;
  const given = asObject(headers);
  return [
    ...(enabled === true && url === null
      ? [valueError("a URL is required when enabled is true", "url")]
      : []),
    ...(badUrl === undefined ? [] : [valueError(badUrl, "url")]),
    ...headerFaults(given),
    ...(typeof template === "string"
      ? templateFaults(template, given, { names, raw: raw_template === true })
      : []),
  ];
}

function headerFaults(headers: JsonObject): readonly Fault[] {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  return Object.entries(headers).flatMap(([name, value], at): readonly Fault[] => {
    const isSecond = names.indexOf(name.toLowerCase()) < at;
    const sentence = isSecond ? "this header occurs more than once" : headerFault(name, value);
    return sentence === undefined ? [] : [{ ...valueError(sentence), within: ["headers", name] }];
  });
}

function headerFault(name: string, value: Json): string | undefined {
  if (!HEADER_NAME.test(name)) return "this is not a valid header name";
  if (RESERVED.test(name)) return "Leadport sets this header itself; leave it out";
  // The schema has already reported a wrong type.
  if (typeof value !== "string") return undefined;
  if (isNamed(name, "content-type") && !MEDIA_TYPE.test(value))
    return "this is not a media type such as application/json";
  if (HEADER_VALUE.test(value) || value === "") return undefined;
  return "a header value may contain only visible ASCII characters, with spaces between them";
}

function templateFaults(
  template: string,
  headers: JsonObject,
  { names, raw }: { readonly names: readonly string[]; readonly raw: boolean },
): readonly Fault[] {
  const contentType = contentTypeOf(headers);
  // The schema or headerFaults has already reported a wrong type or format.
  if (typeof contentType !== "string" || !MEDIA_TYPE.test(contentType)) return [];
  if (raw && dialectOf(contentType) !== undefined) {
    return [
      valueError(
        `values are always escaped in ${contentType}; leave raw_template out`,
        "raw_template",
      ),
    ];
  }
  try {
    readTemplate(template, { contentType, raw, names });
    return [];
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return [valueError(error.message, "body_template")];
  }
}

/**
 * Returns the headers to store. A mask in `sent` is replaced by the value stored under that name. `masks` lists the
 * masked headers. For each, it shows whether a value is stored.
 */
export function headersToStore(
  sent: Readonly<Record<string, string>>,
  stored: Readonly<Record<string, string>>,
): {
  readonly headers: Readonly<Record<string, string>>;
  readonly masks: readonly { readonly name: string; readonly isStored: boolean }[];
} {
  const known = new Map(Object.entries(stored).map(([name, value]) => [name.toLowerCase(), value]));
  const entries = Object.entries(sent).map(([name, value]) => {
    const isMask = value === MASK;
    return { name, isMask, value: isMask ? known.get(name.toLowerCase()) : value };
  });
  return {
    headers: Object.fromEntries(
      entries.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
    ),
    masks: entries
      .filter(({ isMask }) => isMask)
      .map(({ name, value }) => ({ name, isStored: value !== undefined })),
  };
}

/** Masks all header values except the content type, which is not a secret. */
export const maskedHeaders = (headers: Callout["headers"]): JsonObject =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      isNamed(name, "content-type") ? value : MASK,
    ]),
  );

const isNamed = (name: string, wanted: string): boolean => name.toLowerCase() === wanted;

/** Returns the request that a callout sends with these values. */
export function requestOf(
  { url, method, headers, body_template, raw_template, timeout_s }: Callout,
  values: TemplateValues,
): OutgoingRequest {
  const contentType = contentTypeOf(headers);
  const names = Object.keys(values);
  const template = readTemplate(body_template, { contentType, raw: raw_template, names });
  const others = Object.entries(headers).filter(([name]) => !isNamed(name, "content-type"));
  const agent = others.some(([name]) => isNamed(name, "user-agent")) ? {} : { "user-agent": AGENT };
  return {
    url: url ?? "",
    method,
    headers: { ...agent, ...Object.fromEntries(others), "content-type": contentType },
    body: renderTemplate(template, values),
    timeout_s,
  };
}
