/** The lead that a refused push is about: the partner pushed that person before. */

import { isConflict, type PushedLead } from "@leadport/client";

export type EarlierPush = Pick<PushedLead, "id" | "status">;

/** What a push that failed names; undefined where it failed for another reason. */
export function earlierPushOf(error: unknown): EarlierPush | undefined {
  if (!isConflict(error) || error.existing_id === undefined) return undefined;
  const { status } = error.body as EarlierPush;
  return { id: error.existing_id, status };
}
