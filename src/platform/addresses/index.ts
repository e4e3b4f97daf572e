/** IPv4 and IPv6 addresses: their ranges, lists of ranges, and the networks in which they are counted. */

export {
  type AddressList,
  createAddressList,
  createRange,
  isAddressRange,
  isZonedRange,
  plainAddress,
} from "./addresses.ts";
export { type Network, networkOfAddress, networksOf } from "./networks.ts";
