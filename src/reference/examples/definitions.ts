/** Examples of the definitions of record types and fields: those of deals, with one list and two fields. */

import type { Json } from "../../platform/json/index.ts";
import { RECORD_TYPES } from "../../records/types/index.ts";
import { typeDefinition } from "../../records/schemas/index.ts";

const { lists, fields, ...deal } = typeDefinition(RECORD_TYPES.deal);

const named = (all: Json | undefined, names: readonly string[]): readonly Json[] =>
  (Array.isArray(all) ? all : []).filter(
    (one: { readonly name?: string }) => one.name !== undefined && names.includes(one.name),
  );

const shown = named(fields, ["stage", "account_name"]);

export const DEFINITIONS: Readonly<Record<string, Json>> = {
  RecordTypeDefinition: { ...deal, lists: [...named(lists, ["created"])], fields: [...shown] },
  FieldDefinition: shown[0] ?? null,
};
