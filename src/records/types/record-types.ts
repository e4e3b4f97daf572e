/** The record types, in the order used in the documentation. */

import type { DerivedDefinition, FieldDefinition, TypeDefinition } from "./define.ts";
import { account } from "./account.ts";
import { contact } from "./contact.ts";
import { deal } from "./deal.ts";
import { invoice } from "./invoice.ts";
import { lead } from "./lead.ts";
import { order } from "./order.ts";
import { task } from "./task.ts";

const TYPES = { lead, contact, account, deal, invoice, order, task };

export type RecordName = keyof typeof TYPES;
export type RecordType = TypeDefinition<RecordName>;
export type Field = FieldDefinition<RecordName>;
export type Derived = DerivedDefinition<RecordName>;

export const RECORD_TYPES: { readonly [Name in RecordName]: RecordType & { readonly name: Name } } =
  TYPES;

export const recordTypes: readonly RecordType[] = Object.values(RECORD_TYPES);
