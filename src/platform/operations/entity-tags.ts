/** Parses the entity tags in `If-Match` and `If-None-Match` headers (RFC 9110, 13.1). */

import type { Issue } from "../errors/index.ts";

/** The tags in a header. `any` means `*`. */
export interface EntityTags {
  readonly any: boolean;
  readonly tags: readonly EntityTag[];
}

export interface EntityTag {
  readonly isWeak: boolean;
  /** The tag, including its quotes. */
  readonly opaque: string;
}

export const CONDITIONS = { "if-match": "If-Match", "if-none-match": "If-None-Match" } as const;
export type Condition = keyof typeof CONDITIONS;

/** The conditions of a request, keyed by header. Headers that were not sent are missing. */
export type Conditions = Partial<Readonly<Record<Condition, EntityTags>>>;

/**
 * Matches one member of the list and its delimiter. Members may be empty. Spaces after a tag are matched only if there
 * is a tag. Otherwise, matching a long run of spaces would take quadratic time.
 */
const MEMBER = /[ \t]*(?:(?<weak>W\/)?(?<opaque>"[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(?:,|$)/y;

/** Returns the tags in a header, or an issue if the header is invalid. Returns neither if the header was not sent. */
export function entityTagsIn(
  name: Condition,
  given: string | readonly string[] | undefined,
): { readonly value: EntityTags | undefined; readonly issues: readonly Issue[] } {
  if (given === undefined) return { value: undefined, issues: [] };
  const text = String(given);
  if (text.trim() === "*") return { value: { any: true, tags: [] }, issues: [] };
  const tags = tagsIn(text);
  if (tags !== undefined && tags.length > 0) return { value: { any: false, tags }, issues: [] };
  const msg = 'Value error, this must be * or a list of quoted entity tags, such as "v3"';
  const loc = ["header", CONDITIONS[name]];
  return { value: undefined, issues: [{ type: "value_error", loc, msg, input: text }] };
}

function tagsIn(text: string): readonly EntityTag[] | undefined {
  const tags: EntityTag[] = [];
  for (let at = 0; at < text.length; at = MEMBER.lastIndex) {
    MEMBER.lastIndex = at;
    const groups = MEMBER.exec(text)?.groups;
    if (groups === undefined) return undefined;
    const { weak, opaque } = groups;
    if (opaque !== undefined) tags.push({ isWeak: weak !== undefined, opaque });
  }
  return tags;
}

/**
 * Strong comparison (RFC 9110, 8.8.3.2), for `If-Match`. Weak tags never match, because they do not identify an exact
 * version.
 */
export const matchesStrongly = ({ any, tags }: EntityTags, etag: string): boolean =>
  any || tags.some(({ isWeak, opaque }) => !isWeak && opaque === etag);

/** Weak comparison, for `If-None-Match`. */
export const matchesWeakly = ({ any, tags }: EntityTags, etag: string): boolean =>
  any || tags.some(({ opaque }) => opaque === etag);
