/**
 * Checks `If-Match` on changes (RFC 9110, 13.1.1). If two users edit the same version, the second request fails and
 * writes nothing.
 */

import { changesSince, type PastChange } from "../../audit/index.ts";
import { matchesStrongly, type EntityTags } from "../../platform/operations/index.ts";
import { AppError } from "../../platform/errors/index.ts";
import type { RecordType } from "../types/index.ts";
import { taggedVersion, tagsOf } from "./etag.ts";
import type { Stored, Writer } from "../store/index.ts";

/**
 * Throws 412 if the record has none of the versions that the caller sent. The error lists the fields that have changed
 * since the oldest of these versions. The list is null if this is unknown.
 */
export async function refuseStale(
  { scope, type }: Pick<Writer, "scope" | "type">,
  { body, version }: Stored,
  { ifMatch, asked }: { readonly ifMatch: EntityTags | undefined; readonly asked: string },
): Promise<void> {
  const tagged = { id: String(body["_id"]), version, asked };
  const tags = tagsOf(tagged);
  if (ifMatch === undefined || tags.some((tag) => matchesStrongly(ifMatch, tag))) return;
  const named = ifMatch.tags.flatMap(({ isWeak, opaque }) => {
    const at = isWeak ? undefined : taggedVersion(opaque, tagged);
    return at === undefined || at >= version ? [] : [at];
  });
  const since = named.length === 0 ? undefined : Math.min(...named);
  const subject = { subjectType: type.name, subjectId: tagged.id };
  const changes = since === undefined ? [] : await changesSince(scope, subject, since);
  // If any of the changes is no longer stored, any field may have changed.
  const isComplete = since !== undefined && changes.length === version - since;
  const changed_fields = isComplete
    ? [...new Set(changes.flatMap((change) => changedBy(type, change)))]
        .filter((name) => name in body)
        .toSorted()
    : null;
  throw new AppError("precondition_failed", {
    ...(since === undefined && {
      detail:
        "If-Match does not match any version of this record; send the ETag that was returned with it",
    }),
    members: { changed_fields, version },
    headers: { etag: tags[0] },
  });
}

/** Returns the fields that a logged change may have changed. When a record is restored, all its fields are logged. */
function changedBy(type: RecordType, { action, fields }: PastChange): readonly string[] {
  const names = Object.keys(fields);
  if (action !== "restored") return names;
  // A restored record has its old values, except for references to records that were merged in the meantime.
  return names.filter((name) => type.fields[name]?.kind === "reference");
}
