/** A list of social media profiles. */

import { isObject, type Json } from "../../platform/json/index.ts";
import type { Fault } from "../../platform/validation/index.ts";
import { described, string } from "../../platform/schemas/index.ts";
import { fieldKind, parseList } from "./kind.ts";
import { LIST_MAX } from "./lines.ts";
import { shortTextFaults } from "./short-texts.ts";

const TEXT_MAX = 500;
const SOCIAL_TEXT = { type: "string", maxLength: TEXT_MAX } as const;

export interface SocialsField {
  readonly kind: "socials";
}

function socialFaults(value: Json, max: number): readonly Fault[] {
  if (!isObject(value)) return [];
  const missing: Fault = { type: "missing", msg: "Field required", at: "type" };
  const named = typeof value["type"] === "string" || typeof value["platform"] === "string";
  const { url: _, ...rest } = value;
  return [...("type" in value || named ? [] : [missing]), ...shortTextFaults(rest, max)];
}

export const socials = fieldKind<SocialsField>({
  names: ["social_profiles"],
  request: () => ({
    type: ["array", "null"],
    maxItems: LIST_MAX,
    items: {
      type: "object",
      required: ["url"],
      properties: {
        type: described(SOCIAL_TEXT, "The platform, such as `Linkedin`."),
        platform: described(SOCIAL_TEXT, "The platform. Another name for `type`."),
        url: string("The URL of the profile.", { maxLength: 2048 }),
      },
      "x-rule": ["social", TEXT_MAX],
    },
    description: "Social media profiles.",
  }),
  rules: () => ({ social: socialFaults }),
  docs: () => "a list of objects with `type` (or `platform`) and `url`",
  example: () => [],
  holds: "list",
  unitedMax: LIST_MAX,
  parse: (_, text) => parseList(text),
});
