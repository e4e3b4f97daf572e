/** The kinds of texts. */

import type { Kind } from "../kind/index.ts";
import { choice } from "./choice.tsx";
import { keyword } from "./keyword.tsx";
import { long_text } from "./long-text.tsx";
import { ssn } from "./ssn.tsx";
import { status } from "./status.tsx";
import { text } from "./text.tsx";

export { textProps } from "./text-props.ts";

/** The record's own id, and kinds that this version of the pages does not know: text that cannot be edited. */
const { Input: _, ...readOnly } = text;

export const TEXTS: Readonly<Record<string, Kind>> & { readonly id: Kind } = {
  choice,
  id: readOnly,
  keyword,
  long_text,
  ssn,
  status,
  text,
};
