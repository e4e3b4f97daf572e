/** The entity tag of a record (RFC 9110, 8.8.3). It is the record's version, which is the same for all callers. */

import { matchesWeakly, type EntityTags } from "../../platform/operations/index.ts";

/** A stored body ends with its version. */
const VERSION_AT_END = /"version":(?<version>\d+)\}$/;
const TAIL_bytes = 40;

/** A stored body starts with its id. */
const ID_AT_START = /^\{"_id":"(?<id>[0-9a-f]{24})"/;
const HEAD_bytes = 40;

/**
 * Returns a tag such as `"v3"` for a stored body. If the record was requested by a merged record's id, returns
 * `"<current id>-v3"`, so that the tag cannot be confused with a version of the merged record.
 */
export function etagOf(body: Buffer, asked?: string): string {
  const { id, version } = identityOf(body);
  return tagsOf({ id, version, asked: asked ?? id })[0];
}

/** Returns the tag that the caller already has if it matches this version, and otherwise the default tag. */
export function knownEtag(body: Buffer, asked: string, had: EntityTags | undefined): string {
  const tags = tagsOf({ ...identityOf(body), asked });
  return tags.find((tag) => had !== undefined && matchesWeakly(had, tag)) ?? tags[0];
}

function identityOf(body: Buffer): Pick<Tagged, "id" | "version"> {
  const tail = body.subarray(-TAIL_bytes).toString("latin1");
  const version = VERSION_AT_END.exec(tail)?.groups?.["version"];
  if (version === undefined) throw new Error("A stored body does not end with its version");
  const id = ID_AT_START.exec(body.subarray(0, HEAD_bytes).toString("latin1"))?.groups?.["id"];
  return { id: String(id), version: Number(version) };
}

/** A version of a record, and the id that it was requested by. */
export interface Tagged {
  readonly id: string;
  readonly version: number;
  readonly asked: string;
}

/** Returns all tags that match a version. Responses contain the first one. */
export function tagsOf({ id, version, asked }: Tagged): readonly [string, ...string[]] {
  const short = `"v${version}"`;
  const long = `"${id}-v${version}"`;
  // For an old id, the short tag could refer to a version of the record that originally had this id.
  return asked === id ? [short, long] : [long];
}

/** Returns the version that a tag refers to, or undefined if the tag belongs to another record. */
export function taggedVersion(tag: string, { id, asked }: Tagged): number | undefined {
  const named = /^"(?:(?<of>[0-9a-f]{24})-)?v(?<digits>[1-9]\d{0,9})"$/.exec(tag)?.groups;
  return named !== undefined && (named["of"] ?? asked) === id ? Number(named["digits"]) : undefined;
}
