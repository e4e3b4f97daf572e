/** Statements run either in a pool or in a transaction. These types distinguish the two. */

import type postgres from "postgres";

export type Db = postgres.Sql;

declare const inTransaction: unique symbol;
/**
 * A connection inside a transaction. Functions require this type if they write data that must commit together with
 * other writes.
 */
export type Tx = postgres.TransactionSql & { readonly [inTransaction]: true };

/** Whether a connection is inside a transaction. Only pools have `begin`. */
export const isTx = (db: Db | Tx): db is Tx => !("begin" in db);
