/** A record's status or stage: a choice that is shown in its color. */

import { StatusBadge } from "../../ui/lists/index.ts";
import type { Kind } from "../kind/index.ts";
import { Status } from "../shown/index.ts";
import { choice } from "./choice.tsx";

export const status: Kind = {
  ...choice,
  width: 110,
  Cell: ({ value }) => <Status value={String(value)} />,
  Value: ({ value }) => <StatusBadge value={String(value)} />,
};
