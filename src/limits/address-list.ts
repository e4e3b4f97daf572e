/** Allowlists of credentials: IPv4 and IPv6 addresses and CIDR ranges. */

import { isAddressRange } from "../platform/addresses/index.ts";
import { valueError, type Rule, type Schema } from "../platform/validation/index.ts";

const RANGES_MAX = 100;

/** The schema of an allowlist. Entries are validated by the rule `address_range`. */
export const ADDRESS_LIST_SCHEMA = {
  type: ["array", "null"],
  maxItems: RANGES_MAX,
  items: { type: "string", "x-rule": ["address_range", null] },
  description:
    "IPv4 and IPv6 addresses and CIDR ranges that the credential may be used from. An empty list means no restriction.",
} as const satisfies Schema;

export const addressRange: Rule = (value) =>
  typeof value !== "string" || isAddressRange(value)
    ? []
    : [
        valueError(
          "this must be an IP address or a CIDR range, such as 192.0.2.0/24 or 2001:db8::/32",
        ),
      ];
