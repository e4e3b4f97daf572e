/** Records the statements that an app sends, including those inside transactions. */

import type { Database, Db } from "../../src/platform/database/index.ts";

type Begin = (...given: readonly unknown[]) => Promise<unknown>;

export function noteStatements() {
  const sent: string[] = [];
  const listenTo = <T extends object>(connection: T): T =>
    new Proxy(connection, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (name === "unsafe") {
          return (...given: Parameters<Db["unsafe"]>) => {
            sent.push(given[0]);
            return (member as Db["unsafe"])(...given);
          };
        }
        if (name !== "begin" && name !== "savepoint") return member;
        return (...given: readonly unknown[]) => {
          sent.push(name);
          const listening = given.map((one, at) =>
            // The callback with the transaction's statements. In the argument list, it comes after the optional
            // transaction mode and before the guard.
            typeof one === "function" && at === (typeof given[0] === "string" ? 1 : 0)
              ? (tx: object) => (one as (tx: object) => unknown)(listenTo(tx))
              : one,
          );
          return (member as Begin)(...listening);
        };
      },
    });
  return { sent, wrap: (db: Database): Database => ({ ...db, sql: listenTo(db.sql) }) };
}
