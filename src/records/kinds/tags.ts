/** A list of tags. */

import { fieldKind, parseList } from "./kind.ts";

const TAGS_MAX = 10;
const TAG_MAX = 100;

export interface TagsField {
  readonly kind: "tags";
}

/** Matches one tag: either quoted, as in Mailchimp exports, or up to the next separator. */
const TAG = /\s*(?:"((?:[^"]|"")*)"\s*(?=[;,|]|$)|([^;,|]+))/g;

const plainTag = (text: string): string => text.trim().replace(/^\* /, "");

export const tags = fieldKind<TagsField>({
  names: ["tags"],
  request: () => ({
    type: ["array", "null"],
    maxItems: TAGS_MAX,
    items: { type: "string", maxLength: TAG_MAX },
    description: "Tags.",
  }),
  docs: () => `at most ${TAGS_MAX} strings, each at most ${TAG_MAX} characters`,
  example: () => [],
  holds: "list",
  column: "texts",
  unitedMax: TAGS_MAX,
  parse: (_, text) => {
    if (text.startsWith("[")) return parseList(text);
    // Google Contacts separates labels with ":::" and marks its own labels with a star.
    const list = text.replaceAll(":::", ";");
    const found = list.includes('"')
      ? Array.from(list.matchAll(TAG), ([, quoted, plain = ""]) =>
          quoted === undefined ? plainTag(plain) : quoted.replaceAll('""', '"'),
        )
      : list.split(/[;,|]/).map(plainTag);
    return { value: [...new Set(found.filter((tag) => tag.trim() !== ""))] };
  },
});
