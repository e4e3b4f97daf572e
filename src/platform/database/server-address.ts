/** The address of PostgreSQL, if it may change while the service runs. */

import { connect } from "node:net";

/** A TCP address, or the path of a socket. */
export type ServerAddress =
  | { readonly host: string; readonly port: number }
  | { readonly path: string };

/** The driver's option by which each new connection goes to the address of that moment. */
export const connectingTo = (address: (() => ServerAddress) | undefined) =>
  address === undefined ? {} : { socket: () => connect(address()) };
