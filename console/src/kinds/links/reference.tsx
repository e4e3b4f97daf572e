/** The id of another record. */

import {
  type Draft,
  fieldLabel,
  referenceAt,
  referenceOf,
  type RecordType,
} from "../../record/index.ts";
import { t } from "../../text/index.ts";
import { RecordLink } from "../../names/index.ts";
import { RECORDS } from "../filtering/index.ts";
import type { Kind } from "../kind/index.ts";
import { PlainText, RecordName } from "../shown/index.ts";

/** Returns a hint for the first of several fields if at least one of them is required and none is set. */
function oneOfHint({ required_one_of }: RecordType, name: string, draft: Draft) {
  const isSet = required_one_of.some((other) => (draft[other] ?? null) !== null);
  if (required_one_of[0] !== name || isSet) return undefined;
  return t.record.oneOf(required_one_of.map((other) => fieldLabel(other)));
}

export const reference: Kind = {
  width: 115,
  Cell: ({ type, record, name, value, tab }) => {
    const to = referenceAt(type, record, name);
    if (to === undefined) return <PlainText text={String(value)} />;
    return <RecordName {...to} tab={tab} />;
  },
  Value: ({ type, record, name, value }) => {
    const to = referenceAt(type, record, name);
    return to === undefined ? String(value) : <RecordLink {...to} />;
  },
  Input: ({ inputs, common, type, name, draft, value, set, canCreate = false }) => {
    const to = referenceOf(type, name);
    return to === undefined ? null : (
      <inputs.ReferenceInput
        {...common}
        description={oneOfHint(type, name, draft) ?? common.description}
        to={to}
        value={value === null ? null : String(value)}
        onChange={set}
        near={draft}
        canCreate={canCreate}
      />
    );
  },
  filtering: RECORDS,
};
