/** Requests about persons, as an administrator sends them. */

import { ok, type Body } from "../api/samples.ts";
import type { Answer, Client } from "../kit/api.ts";

export const REPORT = "/crm/admin/persons/report";
export const ERASE = "/crm/admin/persons/erase";

export const report = async (client: Client, searched: Body): Promise<Body> =>
  ok(await client.post(REPORT, searched)).body;

/** The records of a report that have to be chosen to be erased. */
export const chosenIn = ({ records }: Body): readonly string[] =>
  (records as readonly Body[]).flatMap(({ id, effect }) =>
    effect === "unlink" ? [] : [id as string],
  );

/** Erases everything that a report found, and the person in reviewed records. */
export const eraseAll = (
  client: Client,
  found: Body,
  review_ids: readonly string[] = [],
): Promise<Answer> =>
  client.post(ERASE, { report_id: found["report_id"], record_ids: chosenIn(found), review_ids });
