/** IPv4 and IPv6 addresses, ranges, lists of ranges, and the networks that request limits apply to. */

export {
  type AddressList,
  createAddressList,
  createRange,
  isAddressRange,
  isZonedRange,
  plainAddress,
} from "./addresses.ts";
export { type Network, networkOfAddress, networksOf } from "./networks.ts";
