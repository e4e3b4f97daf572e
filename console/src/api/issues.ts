/** What the service found wrong, as forms show it. */

import { ConnectionFailed, isInvalid, LeadportError } from "@leadport/client";
import { t } from "../text/index.ts";

/** Each field's messages, by its name; what is wrong inside a list or object counts for the field. */
export function issuesByField(error: unknown): Readonly<Record<string, string>> {
  if (!isInvalid(error)) return {};
  const byField: Record<string, string> = {};
  for (const { loc, msg } of error.issues) {
    const [place, field, ...within] = loc;
    if (place !== "body" || field === undefined) continue;
    const where = within.length === 0 ? "" : ` (${within.join(".")})`;
    const told = plain(msg) + where;
    byField[field] = byField[field] === undefined ? told : `${byField[field]}; ${told}`;
  }
  return byField;
}

/** Each message by its place in what was sent: `email`, `invoice_line_list.0.amount`; "" of the whole. */
export function issuesByPlace(error: unknown): Readonly<Record<string, string>> {
  if (!isInvalid(error)) return {};
  const byPlace: Record<string, string> = {};
  for (const { loc, msg } of error.issues) {
    const place = loc.slice(1).join(".");
    byPlace[place] = byPlace[place] === undefined ? plain(msg) : `${byPlace[place]}; ${plain(msg)}`;
  }
  return byPlace;
}

/** One sentence for an error of any kind. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ConnectionFailed) return t.errors.offline;
  if (isInvalid(error)) return error.issues.map(({ msg }) => plain(msg)).join("; ");
  if (error instanceof LeadportError) {
    if (error.status >= 500) return t.errors.service(error.requestId ?? "–");
    return error.detail;
  }
  return error instanceof Error ? error.message : String(error);
}

/** A message without what it begins with for programs. */
export const plain = (message: string): string => message.replace(/^Value error, /, "");
