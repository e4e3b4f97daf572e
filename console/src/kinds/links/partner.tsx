/** The id of a partner. */

import { PartnerLink } from "../../names/index.ts";
import { PARTNERS } from "../filtering/index.ts";
import type { Kind } from "../kind/index.ts";
import { PartnerName } from "../shown/index.ts";

export const partner: Kind = {
  width: 115,
  Cell: ({ value, tab }) => <PartnerName id={String(value)} tab={tab} />,
  Value: ({ value }) => <PartnerLink id={String(value)} />,
  filtering: PARTNERS,
};
