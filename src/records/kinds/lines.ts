/** A list of objects, such as the lines of an invoice. Unknown members are also stored. */

import type { Schema } from "../../platform/validation/index.ts";
import { described } from "../../platform/schemas/index.ts";
import { code, count, fieldKind, parseList } from "./kind.ts";
import { MONEY } from "./money.ts";
import { shortTextFaults } from "./short-texts.ts";

/** Maximum number of elements in a list. */
export const LIST_MAX = 1000;
const LINE_TEXT_MAX = 1000;

/** A known member of the objects in a `lines` field. No member is required. */
export interface Member {
  readonly name: string;
  readonly kind: "text" | "money" | "line_detail";
  readonly description: string;
}

export interface LinesField {
  readonly kind: "lines";
  readonly members: readonly Member[];
}

/** The schemas of a line's members. No member is required, and null means missing. */
const MEMBER: Readonly<Record<Member["kind"], Schema>> = {
  text: { type: ["string", "null"], maxLength: LINE_TEXT_MAX },
  money: MONEY,
  line_detail: {
    type: ["object", "null"],
    properties: {
      qty: described(MONEY, "The quantity."),
      unit_price: described(MONEY, "The price of one unit."),
    },
    "x-rule": ["short_texts", LINE_TEXT_MAX],
  },
};

export const lines = fieldKind<LinesField>({
  names: ["lines"],
  details: ({ members }) => ({ members: members.map((member) => ({ ...member })) }),
  request: ({ members }) => ({
    type: ["array", "null"],
    maxItems: LIST_MAX,
    items: {
      type: "object",
      properties: Object.fromEntries(
        members.map(({ name, kind, description }) => [name, described(MEMBER[kind], description)]),
      ),
      "x-rule": ["short_texts", LINE_TEXT_MAX],
    },
  }),
  rules: () => ({ short_texts: shortTextFaults }),
  docs: ({ members }) =>
    `a list of at most ${count(LIST_MAX)} objects with ${code(members.map(({ name }) => name))}, and any other members`,
  example: () => [],
  holds: "list",
  parse: (_, text) => parseList(text),
});
