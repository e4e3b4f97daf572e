/** The entity tag of a record (RFC 9110, 8.8.3): its version, the same for every token that reads it. */

/** A stored body ends with its version. */
const VERSION_AT_END = /"version":(?<version>\d+)\}$/;
const TAIL_bytes = 40;

/** A stored body begins with its id. */
const ID_AT_START = /^\{"_id":"(?<id>[0-9a-f]{24})"/;
const HEAD_bytes = 40;

/**
 * `"v3"` of a record's stored body; `"<its id>-v3"` where it was asked for by another id, that of a
 * record that was merged into it, so that it cannot be taken for a version of that one.
 */
export function etagOf(body: Buffer, asked?: string): string {
  const tail = body.subarray(-TAIL_bytes).toString("latin1");
  const version = VERSION_AT_END.exec(tail)?.groups?.["version"];
  if (version === undefined) throw new Error("A stored body does not end with its version");
  const id = ID_AT_START.exec(body.subarray(0, HEAD_bytes).toString("latin1"))?.groups?.["id"];
  return asked === undefined || asked === id ? `"v${version}"` : `"${id}-v${version}"`;
}
