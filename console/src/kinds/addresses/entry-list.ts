/** The parts that lists of email addresses and lists of phone numbers have in common. */

import { type EntryKind, listIn, type Row, rowsOf } from "../../record/lists/index.ts";
import { ENTRIES } from "../filtering/index.ts";
import type { Kind } from "../kind/index.ts";

/** A form shows the main entry as the record's own email or phone, and the other entries as rows. */
export const entryList = (of: EntryKind) =>
  ({
    isList: true,
    isWideInput: true,
    empty: [],
    mainField: of,
    toDraft: (record, name) => rowsOf(record, name, of),
    // An entry is empty if it has a type but no address or number.
    tidy: (value) =>
      ((value ?? []) as readonly Row[]).filter((row) => String(row[of] ?? "") !== ""),
    toSend: (draft, name, record) => listIn(draft, name, of, record),
    filtering: ENTRIES,
  }) as const satisfies Partial<Kind>;
