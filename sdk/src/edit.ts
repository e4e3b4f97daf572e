/** Changes a record as it was read: read, write on the condition that nobody was faster, or again. */

import type { Answer, Calls } from "./call.ts";
import { isPreconditionFailed } from "./errors.ts";
import type { BodyOf, DataOf, OperationOf } from "./operations.ts";
import type { CallOptions } from "./transport.ts";

/** Where records of a type are read and written. Deals are written as opportunities. */
export const RECORDS = {
  lead: { read: "/crm/leads/{lead_id}", write: "/crm/leads/{lead_id}", id: "lead_id" },
  contact: {
    read: "/crm/contacts/{contact_id}",
    write: "/crm/contacts/{contact_id}",
    id: "contact_id",
  },
  account: {
    read: "/crm/accounts/{account_id}",
    write: "/crm/accounts/{account_id}",
    id: "account_id",
  },
  deal: {
    read: "/crm/deals/{opportunity_id}",
    write: "/crm/opportunities/{opportunity_id}",
    id: "opportunity_id",
  },
  invoice: {
    read: "/crm/invoices/{invoice_id}",
    write: "/crm/invoices/{invoice_id}",
    id: "invoice_id",
  },
  order: { read: "/crm/orders/{order_id}", write: "/crm/orders/{order_id}", id: "order_id" },
  task: { read: "/crm/tasks/{task_id}", write: "/crm/tasks/{task_id}", id: "task_id" },
} as const;

export type RecordName = keyof typeof RECORDS;

/** A record as it is read. */
export type RecordOf<N extends RecordName> = DataOf<(typeof RECORDS)[N]["read"], "get">;

/** What may be changed of a record. */
export type ChangesOf<N extends RecordName> = BodyOf<
  OperationOf<(typeof RECORDS)[N]["write"], "patch">
>;

export interface EditOptions extends Pick<
  CallOptions,
  "headers" | "signal" | "timeout_ms" | "retry"
> {
  /** How often the record is read and written before the last 412 is thrown; 5 without. */
  readonly edits?: number;
}

const EDITS = 5;

/**
 * Applies a function to the record as it is now. Nothing to change (`undefined` or `{}`) writes
 * nothing. Of two who edit at once the second reads what the first wrote and decides anew.
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
