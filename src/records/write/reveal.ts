/** `?reveal=ssn`: returns the full social security number and adds an audit entry in the same transaction. */

import { logChange } from "../../audit/index.ts";
import { transaction, type Db } from "../../platform/database/index.ts";
import { AppError } from "../../platform/errors/index.ts";
import type { JsonObject } from "../../platform/json/index.ts";
import { findByAnyId } from "./old-ids.ts";
import { openSsn } from "../body/index.ts";
import { findStored, type Writer } from "../store/index.ts";

/** Returns the record with its full number, or with null if it has none. Throws 404 if the record does not exist. */
export function revealSsn(
  { scope, deps, type }: Pick<Writer<Db>, "scope" | "deps" | "type">,
  id: string,
): Promise<JsonObject> {
  return transaction(scope.db, async (tx) => {
    const within = { ...scope, db: tx };
    const stored = await findByAnyId(within, type, id, (at) => findStored(within, type, at));
    if (stored === undefined) throw new AppError("not_found");
    const subjectId = String(stored.body["_id"]);
    await logChange(within, deps.makeId, {
      subjectType: type.name,
      subjectId,
      action: "revealed",
      fields: {},
    });
    const { ssn } = stored.internal;
    if (ssn === undefined) return stored.body;
    return { ...stored.body, ssn: openSsn(deps.sealer, scope.tenantId, subjectId, ssn) };
  });
}
