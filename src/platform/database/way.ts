/** Where connections to PostgreSQL go, if that may change while the service runs. */

import { connect } from "node:net";

/** An address, or the path of a socket. */
export type Way = { readonly host: string; readonly port: number } | { readonly path: string };

/** The option of the driver: it asks for the way at each new connection. */
export const by = (way: (() => Way) | undefined) =>
  way === undefined ? {} : { socket: () => connect(way()) };
