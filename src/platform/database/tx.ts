/** What statements are sent through: a pool, or a transaction of one. */

import type postgres from "postgres";

export type Db = postgres.Sql;

declare const inTransaction: unique symbol;
/** A `Db` that is inside a transaction. Ask for this where a write must not stand alone. */
export type Tx = postgres.TransactionSql & { readonly [inTransaction]: true };

/** Whether a connection is inside a transaction already: only a pool can begin one. */
export const isTx = (db: Db | Tx): db is Tx => !("begin" in db);
