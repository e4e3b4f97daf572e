/**
 * Prepares issues for a response. Returns the first hundred issues, removes secrets, and truncates each input and name
 * to 1 KiB. The cost does not depend on the size of the input, which can be a whole body.
 */

import { ISSUES_MAX, type Issue } from "../errors/index.ts";
import { DEPTH_MAX } from "../json/index.ts";

const INPUT_MAX_bytes = 1024;
/** Maximum length of a member name in an issue's location. */
const NAME_MAX = 1024;
/** Read more characters than are shown, because the masks that replace secrets are shorter than the secrets. */
const TEXT_READ_MAX = 4 * INPUT_MAX_bytes;

const SECRET_NAME = /^(?:ssn|access_code|(?:current_|new_)?password|token|code|recovery_code)$/i;
const SECRET_IN_TEXT =
  /((?:ssn|access_code|password|token|recovery_code)["']?\s*[:=]\s*)("(?:[^"\\]|\\.)*"?|'[^']*'?|[^\s,}&]+)/gi;
const MASK = "***";

export const shownIssues = (issues: readonly Issue[], max: number = ISSUES_MAX): readonly Issue[] =>
  issues.slice(0, max).map(shownIssue);

function shownIssue({ input, loc, ...issue }: Issue): Issue {
  const secret = loc.some((part) => SECRET_NAME.test(String(part)));
  return {
    type: issue.type,
    loc: loc.map((part) => (typeof part === "string" ? part.slice(0, NAME_MAX) : part)),
    msg: issue.msg,
    input: secret ? MASK : shownInput(input),
    ...(issue.ctx && { ctx: issue.ctx }),
  };
}

function shownInput(input: unknown): unknown {
  const safe = withoutSecrets(input, { bytes: INPUT_MAX_bytes });
  const text = typeof safe === "string" ? safe : (JSON.stringify(safe) ?? "null");
  if (Buffer.byteLength(text) <= INPUT_MAX_bytes) return safe ?? null;
  return Buffer.from(text)
    .subarray(0, INPUT_MAX_bytes)
    .toString("utf8")
    .replace(/\uFFFD+$/, "");
}

/** The number of JSON bytes that may still be copied. Members that exceed it are not shown. */
interface Remaining {
  bytes: number;
}

function withoutSecrets(input: unknown, remaining: Remaining, depth = 0): unknown {
  if (typeof input === "string") {
    const safe = input
      .slice(0, TEXT_READ_MAX)
      .toWellFormed()
      .replace(SECRET_IN_TEXT, `$1"${MASK}"`);
    remaining.bytes -= safe.length;
    return safe;
  }
  remaining.bytes -= 1;
  if (typeof input !== "object" || input === null) return input;
  // Do not show values that exceed the maximum nesting depth of request bodies.
  if (depth >= DEPTH_MAX) return null;
  if (Array.isArray(input)) {
    const items: unknown[] = [];
    for (const item of input) {
      if (remaining.bytes < 0) break;
      items.push(withoutSecrets(item, remaining, depth + 1));
    }
    return items;
  }
  const members: [string, unknown][] = [];
  for (const [name, value] of Object.entries<unknown>({ ...input })) {
    if (remaining.bytes < 0) break;
    const isSecret = SECRET_NAME.test(name) && value !== null;
    members.push([name, isSecret ? MASK : withoutSecrets(value, remaining, depth + 1)]);
    remaining.bytes -= name.length;
  }
  return Object.fromEntries(members);
}
