/** `If-Match` on a change (RFC 9110, 13.1.1): of two editors of one version the second is told, and writes nothing. */

import { changesSince, type Scope } from "../audit/index.ts";
import { matchesStrongly, type EntityTags } from "../platform/entity-tags.ts";
import { AppError } from "../platform/errors.ts";
import type { RecordType } from "./define.ts";
import { taggedVersion, versionTag } from "./etag.ts";
import type { Stored } from "./store.ts";

/**
 * Throws 412 where a record that was found is at none of the versions that the caller named: with the
 * fields that changed since the oldest of them, or null where none of them was a version of it.
 */
export async function refuseStale(
  scope: Scope,
  type: RecordType,
  { body, version }: Stored,
  ifMatch: EntityTags | undefined,
): Promise<void> {
  const etag = versionTag(version);
  if (ifMatch === undefined || matchesStrongly(ifMatch, etag)) return;
  const named = ifMatch.tags.flatMap(({ isWeak, opaque }) => {
    const at = isWeak ? undefined : taggedVersion(opaque);
    return at === undefined || at >= version ? [] : [at];
  });
  const since = named.length === 0 ? undefined : Math.min(...named);
  const subject = { subjectType: type.name, subjectId: String(body["_id"]) };
  const changes = since === undefined ? [] : await changesSince(scope, subject, since);
  // A change that is no longer kept may have changed anything.
  const isTold = since !== undefined && changes.length === version - since;
  const changed_fields = isTold
    ? [...new Set(changes.flatMap(({ fields }) => Object.keys(fields)))].toSorted()
    : null;
  throw new AppError("precondition_failed", {
    ...(since === undefined && {
      detail: "If-Match names no version of this record; send the ETag that came with it",
    }),
    members: { changed_fields, version },
    headers: { etag },
  });
}
