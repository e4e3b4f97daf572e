/** Parses request bodies as JSON. */

import { isUtf8 } from "node:buffer";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { FastifyRequest } from "fastify";
import { AppError, type Issue, messageOf, ValidationError } from "../errors/index.ts";
import {
  BATCH_MEMBERS_MAX,
  countJson,
  DEPTH_MAX,
  depthIssue,
  findList,
  hasTooManyMembers,
  type Json,
  type JsonExcess,
  type JsonList,
  MEMBERS_MAX,
  parseJson,
} from "../json/index.ts";

export type ReadBody =
  | { readonly value: Json; readonly elements?: Elements }
  | { readonly issue: Issue };

/** Parses the elements of a body's list one by one. Throws 422 when it reaches an element that is not JSON. */
export type Elements = () => AsyncGenerator<Json>;

/** A list in the body whose elements are parsed separately, with its maximum length. */
export interface SeparateList {
  readonly name: string;
  readonly max: number;
}

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/**
 * Parses the body. Throws 422 if it is declared as JSON but is not valid JSON. Replaces the elements of a separate list
 * with empty objects.
 */
export function readBody(
  request: FastifyRequest,
  optional = false,
  separate?: SeparateList,
): ReadBody {
  const bytes = Buffer.isBuffer(request.body) ? request.body : undefined;
  if (bytes === undefined || bytes.length === 0) {
    if (optional) return { value: {} };
    return { issue: { type: "missing", loc: ["body"], msg: "Field required", input: null } };
  }
  if (!JSON_TYPE.test(request.headers["content-type"] ?? "")) {
    const msg = "Input should be a valid dictionary or object to extract fields from";
    return {
      issue: { type: "model_attributes_type", loc: ["body"], msg, input: decodeUtf8(bytes) },
    };
  }
  if (separate !== undefined) {
    const { list, excess } = findList(bytes, separate.name, { elementsMax: separate.max });
    if (excess !== undefined) throw tooManyIn(excess);
    if (list !== undefined) return readAround(bytes, separate.name, list);
  }
  refuseTooMany(bytes);
  const text = decodeUtf8(bytes);
  try {
    return { value: parseJson(text) };
  } catch (error) {
    throw invalidJson(positionIn(text, error), text.length);
  }
}

const EMPTY: Json = {};

/** Parses the body without the elements of its list. In the result, each of these elements is an empty object. */
function readAround(bytes: Buffer, name: string, list: JsonList): ReadBody {
  if (!isUtf8(bytes)) throw notUtf8();
  const before = decodeUtf8(bytes.subarray(0, list.start));
  const text = before + bytes.toString("utf8", list.end);
  try {
    const around = JSON.parse(text) as Readonly<Record<string, Json>>;
    const places = Array.from({ length: list.length }, () => EMPTY);
    return { value: { ...around, [name]: places }, elements: () => elementsOf(bytes, list) };
  } catch (error) {
    const skipped = bytes.toString("utf8", list.start, list.end).length;
    const at = positionIn(text, error);
    throw invalidJson(at < before.length ? at : at + skipped, text.length + skipped);
  }
}

/** The number of bytes to parse before the event loop serves other requests. */
const TURN_bytes = 32 * 1024;

async function* elementsOf(bytes: Buffer, { starts, end }: JsonList): AsyncGenerator<Json> {
  let turn = 0;
  for (const [index, start] of starts.entries()) {
    const text = bytes.toString("utf8", start, (starts[index + 1] ?? end + 1) - 1);
    turn += text.length;
    if (turn > TURN_bytes) {
      turn = 0;
      await nextTurn();
    }
    let element: Json;
    try {
      element = parseJson(text);
    } catch (error) {
      const before = decodeUtf8(bytes.subarray(0, start)).length;
      const length = before + bytes.toString("utf8", start).length;
      throw invalidJson(before + positionIn(text, error), length);
    }
    yield element;
  }
}

function tooManyIn(excess: JsonExcess): AppError {
  if (excess === "rest") return new AppError("too_many_members");
  const detail =
    excess === "elements"
      ? `The batch has more than ${BATCH_MEMBERS_MAX.toLocaleString("en-US")} members and elements`
      : `Item ${excess.element} has more than ${MEMBERS_MAX.toLocaleString("en-US")} members and elements`;
  return new AppError("too_many_members", { detail });
}

/** Throws if parsing would create too many values. The error names the first limit that is exceeded. */
function refuseTooMany(bytes: Buffer): void {
  if (!hasTooManyMembers(bytes)) return;
  const { depth } = countJson(bytes, 0, MEMBERS_MAX);
  throw depth > DEPTH_MAX
    ? new ValidationError([depthIssue(["body"])])
    : new AppError("too_many_members");
}

/** Returns the position where JSON.parse stopped, or the end of the text if the error contains no position. */
const positionIn = (text: string, error: unknown): number =>
  Number(/position (\d+)/.exec(messageOf(error))?.[1] ?? text.length);

/** Returns the 422 error for invalid JSON. It contains the position but never the text. */
const invalidJson = (at: number, length: number): ValidationError =>
  jsonIssue(at, at >= length ? "Unexpected end of input" : "Unexpected character");

const notUtf8 = (): ValidationError => jsonIssue(0, "The body is not UTF-8");

const jsonIssue = (at: number, error: string): ValidationError =>
  new ValidationError([
    {
      type: "json_invalid",
      loc: ["body", at],
      msg: "JSON decode error",
      input: {},
      ctx: { error },
    },
  ]);

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** Decodes UTF-8 and removes a byte order mark. */
function decodeUtf8(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw notUtf8();
  }
}
