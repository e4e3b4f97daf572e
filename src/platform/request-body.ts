/** The body of a request as JSON (D1.6), or what is wrong with it. */

import type { FastifyRequest } from "fastify";
import { AppError, ValidationError, type Issue } from "./errors.ts";
import { countJson, DEPTH_MAX, hasTooManyMembers, MEMBERS_MAX } from "./json-limits.ts";
import type { Json } from "./json.ts";
import { depthIssue } from "./unstorable.ts";

export type ReadBody = { readonly value: Json } | { readonly issue: Issue };

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/** The body as JSON; throws where it says to be JSON and is not. */
export function readBody(request: FastifyRequest, optional = false): ReadBody {
  const bytes = request.body as Buffer | undefined;
  if (bytes === undefined || bytes.length === 0) {
    if (optional) return { value: {} };
    return { issue: { type: "missing", loc: ["body"], msg: "Field required", input: null } };
  }
  const text = decodeUtf8(bytes);
  if (!JSON_TYPE.test(request.headers["content-type"] ?? "")) {
    const msg = "Input should be a valid dictionary or object to extract fields from";
    return { issue: { type: "model_attributes_type", loc: ["body"], msg, input: text } };
  }
  refuseTooMany(bytes);
  try {
    return { value: JSON.parse(text) as Json };
  } catch (error) {
    throw invalidJson(["body"], text, error as Error);
  }
}

/** Throws if parsing would create too much. The limit that is passed first in the text is named. */
export function refuseTooMany(bytes: Buffer): void {
  if (!hasTooManyMembers(bytes)) return;
  const { depth } = countJson(bytes, 0, MEMBERS_MAX);
  throw depth > DEPTH_MAX
    ? new ValidationError([depthIssue(["body"])])
    : new AppError("too_many_members");
}

/** The 422 of text that is not JSON; says where, and never what stands there. */
function invalidJson(loc: readonly string[], text: string, error: Error): ValidationError {
  const at = Number(/position (\d+)/.exec(error.message)?.[1] ?? text.length);
  const ctx = { error: at >= text.length ? "Unexpected end of input" : "Unexpected character" };
  const msg = "JSON decode error";
  return new ValidationError([{ type: "json_invalid", loc: [...loc, at], msg, input: {}, ctx }]);
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

function decodeUtf8(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    const ctx = { error: "The body is not UTF-8" };
    const msg = "JSON decode error";
    throw new ValidationError([{ type: "json_invalid", loc: ["body", 0], msg, input: {}, ctx }]);
  }
}
