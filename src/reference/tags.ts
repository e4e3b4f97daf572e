/** Lists the tags, which group operations. Modules describe their tags. */

import { RECORD_TABLES } from "../records/types/index.ts";

/** The order of the tags in the reference. Tags of other modules come last. */
const ORDER: readonly string[] = [
  ...RECORD_TABLES,
  "fields",
  "changes",
  "files",
  "event webhooks",
  "deliveries",
  "partners",
  "review",
  "settings",
  "administration",
  "people",
  "privacy",
  "partner exchange",
  "sign-in",
];

interface Tagged {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { tags?: readonly string[] }>>>>;
}

/** Returns the tags that the operations of a document use, each with its description. */
export function tagsOf(
  { paths }: Tagged,
  descriptions: Readonly<Record<string, string>>,
): readonly { name: string; description?: string }[] {
  const used = new Set(
    Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ tags = [] }) => tags),
    ),
  );
  const known = ORDER.filter((name) => used.delete(name));
  return [...known, ...used].map((name) => {
    const description = descriptions[name];
    return { name, ...(description !== undefined && { description }) };
  });
}
