/** Several email addresses. */

import type { Entry } from "../../record/lists/index.ts";
import type { Kind } from "../kind/index.ts";
import { Entries, PlainText } from "../shown/index.ts";
import { entryList } from "./entry-list.ts";

export const emails: Kind = {
  ...entryList("email"),
  width: 220,
  Cell: ({ value }) => (
    <PlainText text={(value as readonly Entry[]).map(({ email }) => email).join(", ")} />
  ),
  Value: ({ value }) => <Entries entries={value as readonly Entry[]} />,
  Input: (props) => <props.inputs.EntriesInput {...props} of="email" />,
};
