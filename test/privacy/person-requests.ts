/** The requests with which administrators report on and erase a person. */

import { ok, type Body } from "../api/samples.ts";
import type { Answer, Client } from "../kit/api.ts";

export const REPORT = "/crm/admin/persons/report";
export const ERASE = "/crm/admin/persons/erase";

export const report = async (client: Client, searched: Body): Promise<Body> =>
  ok(await client.post(REPORT, searched)).body;

/** Returns the records in a report that must be selected for erasure. */
export const chosenIn = ({ records }: Body): readonly string[] =>
  (records as readonly Body[]).flatMap(({ id, effect }) =>
    effect === "unlink" ? [] : [id as string],
  );

/**
 * Erases the records in a report, except for records that only refer to the person. Also removes the person from the
 * given entries.
 */
export const eraseAll = (
  client: Client,
  found: Body,
  review_ids: readonly string[] = [],
): Promise<Answer> =>
  client.post(ERASE, { report_id: found["report_id"], record_ids: chosenIn(found), review_ids });
