/**
 * Conflict-safe edits: an edit reads a record and writes the changes only if the record has not
 * changed in the meantime. If it has, the edit starts over.
 */

import type { Answer, Calls } from "./http/call.ts";
import { isPreconditionFailed } from "./errors.ts";
import type { BodyOf, DataOf, OperationOf } from "./operations.ts";
import { RECORDS } from "./records.ts";
import type { CallOptions } from "./http/request.ts";

export type RecordName = keyof typeof RECORDS;

/** A record as returned when it is read. */
export type RecordOf<N extends RecordName> = DataOf<(typeof RECORDS)[N]["read"], "get">;

/** The fields of a record that can be changed. */
export type ChangesOf<N extends RecordName> = BodyOf<
  OperationOf<(typeof RECORDS)[N]["write"], "patch">
>;

export interface EditOptions extends Pick<
  CallOptions,
  "headers" | "signal" | "timeout_ms" | "retry"
> {
  /** The maximum number of attempts before the last 412 is thrown. Default: 5. */
  readonly edits?: number;
}

const EDITS = 5;

/**
 * Applies a function to the current record. If the function returns no changes (`undefined` or
 * `{}`), nothing is written. If two edits run concurrently, the second one reads the result of the
 * first one and applies its function again.
 */
export async function editRecord(
  { call }: Calls,
  { name, id }: { readonly name: RecordName; readonly id: string },
  change: (record: never) => unknown,
  { edits = EDITS, ...options }: EditOptions,
): Promise<unknown> {
  const { read, write, id: idName } = RECORDS[name];
  const path = { [idName]: id };
  for (let edit = 1; ; edit += 1) {
    const { data, etag } = await call("get", read, { ...options, path });
    const body = (await change(data as never)) as object | undefined;
    if (body === undefined || Object.keys(body).length === 0) return data;
    try {
      const ifMatch = etag ?? (data as { readonly version: number }).version;
      const written: Answer<unknown> = await call("patch", write, {
        ...options,
        path,
        body,
        ifMatch,
      });
      return written.data;
    } catch (error) {
      if (edit >= edits || !isPreconditionFailed(error)) throw error;
    }
  }
}
