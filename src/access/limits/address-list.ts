/** Lists of addresses from which a credential may be used: IPv4, IPv6, and CIDR ranges of both. */

import { isAddressRange } from "../../platform/addresses/index.ts";
import { valueError, type Rule, type Schema } from "../../platform/validation/index.ts";

const RANGES_MAX = 100;

/** Such a list in a body; it names the rule `address_range`. */
export const ADDRESS_LIST_SCHEMA = {
  type: ["array", "null"],
  maxItems: RANGES_MAX,
  items: { type: "string", "x-rule": ["address_range", null] },
  description: "Addresses and CIDR ranges, IPv4 and IPv6; no restriction where it is empty.",
} as const satisfies Schema;

export const addressRange: Rule = (value) =>
  typeof value !== "string" || isAddressRange(value)
    ? []
    : [valueError("an address or a CIDR range, such as 192.0.2.0/24 or 2001:db8::/32")];
