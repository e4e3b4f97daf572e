/** The id of a pushed lead. */

import { PushedLeadLink } from "../../names/index.ts";
import { t } from "../../text/index.ts";
import { TEXT } from "../filtering/index.ts";
import type { Kind } from "../kind/index.ts";

export const pushed_lead: Kind = {
  width: 150,
  Cell: ({ value, tab }) => (
    <a href={`/review/${encodeURIComponent(String(value))}`} tabIndex={tab}>
      {t.record.openPushedLead}
    </a>
  ),
  Value: ({ value }) => <PushedLeadLink id={String(value)} />,
  filtering: TEXT,
};
