/** The entity tag of a record (RFC 9110, 8.8.3): its version, the same for every token that reads it. */

/** A stored body ends with its version. */
const VERSION_AT_END = /"version":(?<version>\d+)\}$/;
const TAIL_bytes = 40;

/** `"v3"` of a record's stored body. */
export function etagOf(body: Buffer): string {
  const tail = body.subarray(-TAIL_bytes).toString("latin1");
  const version = VERSION_AT_END.exec(tail)?.groups?.["version"];
  if (version === undefined) throw new Error("A stored body does not end with its version");
  return versionTag(Number(version));
}

/** `"v3"` of version 3. */
export const versionTag = (version: number): string => `"v${version}"`;

/** The version that a tag is of; undefined where it is of none. */
export function taggedVersion(tag: string): number | undefined {
  const digits = /^"v(?<digits>[1-9]\d{0,9})"$/.exec(tag)?.groups?.["digits"];
  return digits === undefined ? undefined : Number(digits);
}
