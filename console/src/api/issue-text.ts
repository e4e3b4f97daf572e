/** Converts validation issues from the service to messages that suit a form. */

import { t } from "../text/index.ts";

/** The members of an issue from which its message is derived. */
export interface ServiceIssue {
  readonly type: string;
  readonly msg: string;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/**
 * Returns the message for an issue. Most of the service's messages name JSON types, which users do not know. Messages
 * that start with "Value error" are written for users, so they are returned unchanged.
 */
export function messageOf({ type, msg, ctx = {} }: ServiceIssue): string {
  const { issues } = t.errors;
  if (type === "enum") return issues.enum(String(ctx["expected"]));
  const limit = [ctx["min_length"], ctx["max_length"], ctx["ge"], ctx["le"]].find(isNumber);
  if (limit !== undefined && type in issues.limits) {
    return issues.limits[type as keyof typeof issues.limits](limit);
  }
  const sentence = issues.types[type as keyof typeof issues.types] as string | undefined;
  return sentence ?? msg.replace(/^Value error, /, "");
}

const isNumber = (value: unknown): value is number => typeof value === "number";
