/** Changes to records of one type. `store` writes all of them with one statement. */

import type { ChangedFields } from "../../audit/index.ts";
import type { Internal, Values } from "../body/index.ts";
import type { Stored } from "./find-record.ts";

/** A record to write: the body without stamps, and what to log. */
export interface RecordWrite {
  readonly id: string;
  readonly body: Values;
  readonly internal: Internal;
  readonly fields: ChangedFields;
}

/** A record as read, and its new state. */
export interface Update {
  readonly stored: Stored;
  readonly next: RecordWrite;
}

interface Created {
  readonly kind: "created";
  readonly records: readonly RecordWrite[];
}

interface Updated {
  readonly kind: "updated";
  readonly records: readonly Update[];
  /** The action in the history, such as `converted`. */
  readonly action: string;
  /** Whether `updated_ts` stays the same. Default: false. */
  readonly keepsUpdated?: boolean;
  /** Whether `status_update_date` becomes the current time. Default: false. */
  readonly hasNewStatus?: boolean;
}

/** Records that a merge removed and that now exist again. Each version is one higher than at the removal. */
interface Restored {
  readonly kind: "restored";
  readonly records: readonly Update[];
}

interface Deleted {
  readonly kind: "deleted";
  /** The ids of the records. `stored` is the record as read, if it was read. */
  readonly records: readonly { readonly id: string; readonly stored?: Stored }[];
  readonly action: string;
  /** What to log for each of the records. */
  readonly fields: ChangedFields;
}

export type Changes = Created | Updated | Restored | Deleted;
