/** Reads the earlier lead from the error returned when the partner has already submitted the same person. */

import { isConflict, type PushedLead } from "@leadport/client";

export type EarlierPush = Pick<PushedLead, "id" | "status">;

/**
 * Returns the earlier lead that the error refers to; undefined if the request failed for another
 * reason.
 */
export function earlierPushOf(error: unknown): EarlierPush | undefined {
  if (!isConflict(error) || error.existing_id === undefined) return undefined;
  const { status } = error.body as EarlierPush;
  return { id: error.existing_id, status };
}
