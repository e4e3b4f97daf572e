/**
 * Finds the earlier lead in the error that the service returns if the partner already submitted a lead for the same
 * person.
 */

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
