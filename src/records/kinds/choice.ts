/** A value of an enumeration. */

import { code, fieldKind, orUnreadable } from "./kind.ts";

export interface ChoiceField {
  readonly kind: "choice";
  readonly of: readonly string[];
  readonly fallback: string;
  /** Alternative spellings of values, which bodies and filters accept. */
  readonly spellings?: Readonly<Record<string, string>>;
}

export const choice = fieldKind<ChoiceField>({
  names: ["choice"],
  details: ({ of }) => ({ options: [...of] }),
  request: ({ of, spellings = {} }) => ({
    type: ["string", "null"],
    enum: [...of, null, ...Object.keys(spellings)],
    "x-also": Object.keys(spellings),
  }),
  response: ({ of }) => ({ type: "string", enum: [...of] }),
  docs: ({ of, spellings = {} }) =>
    `one of ${code(of)}` +
    (Object.keys(spellings).length === 0 ? "" : `; also accepted: ${code(Object.keys(spellings))}`),
  example: ({ fallback }) => fallback,
  stored: ({ spellings }, value) => spellings?.[String(value)] ?? value,
  column: "text",
  summary: "group",
  unreadable: "unknown_word",
  parse: ({ of, spellings }, text, reader) => {
    const plain = reader.plain(text);
    const value = of.includes(text) ? text : of.find((one) => reader.plain(one) === plain);
    return orUnreadable(value ?? spellings?.[text.toLowerCase()] ?? reader.word(text));
  },
});
