/** Where statements run: in a pool or in a transaction. */

import type postgres from "postgres";

export type Db = postgres.Sql;

declare const inTransaction: unique symbol;
/** A connection inside a transaction. Functions whose writes must commit together with other writes require it. */
export type Tx = postgres.TransactionSql & { readonly [inTransaction]: true };

/** Whether a connection is inside a transaction. Only pools have `begin`. */
export const isTx = (db: Db | Tx): db is Tx => !("begin" in db);
