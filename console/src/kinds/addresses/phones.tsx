/** Several phone numbers. */

import { useSession } from "../../api/index.ts";
import type { Entry } from "../../record/lists/index.ts";
import { phoneText } from "../../ui/format/index.ts";
import type { Kind } from "../kind/index.ts";
import { Entries, PlainText } from "../shown/index.ts";
import { entryList } from "./entry-list.ts";

export const phones: Kind = {
  ...entryList("phone"),
  width: 170,
  Cell: ({ value }) => {
    const { tenant } = useSession();
    const texts = (value as readonly Entry[]).map((entry) =>
      phoneText({ ...entry, phone: entry.phone ?? "" }, tenant.default_country),
    );
    return <PlainText text={texts.join(", ")} />;
  },
  Value: ({ value }) => <Entries entries={value as readonly Entry[]} />,
  Input: (props) => <props.inputs.EntriesInput {...props} of="phone" />,
};
