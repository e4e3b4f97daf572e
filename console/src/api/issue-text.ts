/** Converts the service's issues into wording that fits a form. */

import { t } from "../text/index.ts";

/** The members of an issue that are used here. */
export interface ToldIssue {
  readonly type: string;
  readonly msg: string;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/**
 * Returns an issue as a sentence. The service's messages name JSON types, for programs. Only messages of the service's rules, which start with "Value error", are already sentences.
 */
export function messageOf({ type, msg, ctx = {} }: ToldIssue): string {
  const { issues } = t.errors;
  if (type === "enum") return issues.enum(String(ctx["expected"]));
  const limit = [ctx["min_length"], ctx["max_length"], ctx["ge"], ctx["le"]].find(isNumber);
  if (limit !== undefined && type in issues.limits) {
    return issues.limits[type as keyof typeof issues.limits](limit);
  }
  const told = issues.types[type as keyof typeof issues.types] as string | undefined;
  return told ?? msg.replace(/^Value error, /, "");
}

const isNumber = (value: unknown): value is number => typeof value === "number";
