/** One of several options. */

import { wordOptions, words } from "../../ui/format/index.ts";
import { CHOICES } from "../filtering/index.ts";
import type { Kind } from "../kind/index.ts";
import { PlainText } from "../shown/index.ts";

/** Longer lists can be searched. */
const SHORT_LIST = 8;

export const choice: Kind = {
  isShort: true,
  Cell: ({ value }) => <PlainText text={words(String(value))} />,
  Value: ({ value }) => words(String(value)),
  Input: ({ inputs, common, field: { options = [] }, value, set }) => (
    <inputs.SearchSelect
      {...common}
      data={wordOptions(options)}
      value={value === null ? null : String(value)}
      onChange={set}
      searchable={options.length > SHORT_LIST}
    />
  ),
  filtering: CHOICES,
};
