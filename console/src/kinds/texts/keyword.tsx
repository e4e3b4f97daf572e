/** A short text such as `call`, which is shown as words. Any value is accepted. */

import { words } from "../../ui/format/index.ts";
import type { Kind } from "../kind/index.ts";
import { PlainText } from "../shown/index.ts";
import { text } from "./text.tsx";

export const keyword: Kind = {
  ...text,
  isShort: true,
  Cell: ({ value }) => <PlainText text={words(String(value))} />,
  Value: ({ value }) => words(String(value)),
};
