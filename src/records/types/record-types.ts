/** The built-in record types, in the order used in the documentation. `registry.ts` returns the types of a tenant. */

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

/** Record types by name. `Object.values` returns them in the order used in the documentation. */
export type RecordTypes = { readonly [Name in RecordName]: RecordType & { readonly name: Name } };

export const BUILT_IN_TYPES: RecordTypes = TYPES;
