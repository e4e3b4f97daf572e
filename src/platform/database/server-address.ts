/** The address of a PostgreSQL server, which may change while the service is running. */

import { connect } from "node:net";

/** A TCP address, or the path of a socket. */
export type ServerAddress =
  | { readonly host: string; readonly port: number }
  | { readonly path: string };

/** Returns the driver option that makes each new connection use the current address. */
export const connectingTo = (address: (() => ServerAddress) | undefined) =>
  address === undefined ? {} : { socket: () => connect(address()) };
