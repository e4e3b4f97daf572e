/** Converts the service's validation errors for display in forms. */

import { ConnectionFailed, isInvalid, LeadportError } from "@leadport/client";
import { lookupTable, t } from "../text/index.ts";
import { messageOf } from "./issue-text.ts";

/** Returns the messages by field name. An error in a nested value is assigned to the top-level field. */
export function issuesByField(error: unknown): Readonly<Record<string, string>> {
  if (!isInvalid(error)) return {};
  const byField = lookupTable<Record<string, string>>({});
  for (const issue of error.issues) {
    const [place, field, ...within] = issue.loc;
    if (place !== "body" || field === undefined) continue;
    const where = within.length === 0 ? "" : ` (${within.join(".")})`;
    const sentence = messageOf(issue) + where;
    byField[field] = byField[field] === undefined ? sentence : `${byField[field]}; ${sentence}`;
  }
  return byField;
}

/**
 * Returns the messages by their location in the request: `email`, `invoice_line_list.0.amount`, or
 * "" for the whole request.
 */
export function issuesByPlace(error: unknown): Readonly<Record<string, string>> {
  if (!isInvalid(error)) return {};
  const byPlace = lookupTable<Record<string, string>>({});
  for (const issue of error.issues) {
    const place = issue.loc.slice(1).join(".");
    const message = messageOf(issue);
    byPlace[place] = byPlace[place] === undefined ? message : `${byPlace[place]}; ${message}`;
  }
  return byPlace;
}

/** Returns a one-sentence message for any error. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ConnectionFailed) return t.errors.offline;
  if (isInvalid(error)) return error.issues.map(messageOf).join("; ");
  if (error instanceof LeadportError) {
    if (error.status >= 500) return t.errors.service(error.requestId ?? "–");
    return error.detail;
  }
  return error instanceof Error ? error.message : String(error);
}
