/** The seven record types, in the order in which documentation lists them. */

import type { RecordName, RecordType } from "./define.ts";
import { account } from "./account.ts";
import { contact } from "./contact.ts";
import { deal } from "./deal.ts";
import { invoice } from "./invoice.ts";
import { lead } from "./lead.ts";
import { order } from "./order.ts";
import { task } from "./task.ts";

export const RECORD_TYPES: Readonly<Record<RecordName, RecordType>> = {
  lead,
  contact,
  account,
  deal,
  invoice,
  order,
  task,
};

export const recordTypes: readonly RecordType[] = Object.values(RECORD_TYPES);
