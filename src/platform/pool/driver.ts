/** The classes of `pg` that we extend, with the members that `@types/pg` omits. */

import type { EventEmitter } from "node:events";
import type { Duplex } from "node:stream";
import pg from "pg";
import { serialize } from "pg-protocol";

export { DatabaseError } from "pg-protocol";
export { serialize };

interface DriverConnection extends EventEmitter {
  readonly stream: Duplex & { setKeepAlive?: unknown };
  /** The texts of the statements that have been prepared, by name. */
  readonly parsedStatements: Record<string, string | undefined>;
  connect(port: number | string, host?: string): void;
  startup(config: Readonly<Record<string, string>>): void;
  query(text: string): void;
  sendCopyFail(message: string): void;
}

export const DriverConnection = pg.Connection as unknown as new (
  config: object,
) => DriverConnection;

interface DriverQuery extends EventEmitter {
  /** The name of the prepared statement. */
  name: string | undefined;
  text: string;
}

export const DriverQuery = pg.Query as unknown as new (config: {
  readonly text: string;
}) => DriverQuery;

export interface Client extends EventEmitter {
  connect(callback: (error: Error | null) => void): void;
  query(query: DriverQuery): void;
  end(): Promise<void>;
}

export const DriverClient = pg.Client as unknown as new (config: object) => Client;
