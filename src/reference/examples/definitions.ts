/** Examples of the definitions of record types and fields: those of deals, with one list and two fields. */

import type { Json } from "../../platform/json/index.ts";
import { once } from "../../platform/cache/index.ts";
import type { RecordTypes } from "../../records/types/index.ts";
import { typeDefinition } from "../../records/schemas/index.ts";

const named = (all: Json | undefined, names: readonly string[]): readonly Json[] =>
  (Array.isArray(all) ? all : []).filter(
    (one: { readonly name?: string }) => one.name !== undefined && names.includes(one.name),
  );

/** Returns the examples by the names of their schemas. */
export const definitionsOf = once((types: RecordTypes): Readonly<Record<string, Json>> => {
  const { lists, fields, ...deal } = typeDefinition(types.deal);
  const shown = named(fields, ["stage", "account_name"]);
  return {
    RecordTypeDefinition: { ...deal, lists: [...named(lists, ["created"])], fields: [...shown] },
    FieldDefinition: shown[0] ?? null,
  };
});
