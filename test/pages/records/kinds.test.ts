/** The kinds of fields, as the pages show and edit them. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Field } from "../../../console/src/record/definitions.ts";
import { FIELD_KINDS } from "../../../src/records/schemas/field-definitions.ts";
import { consoleType } from "../console-types.ts";
import { pageModule } from "../pages-in-node.ts";

interface Kinds {
  readonly kindFor: (
    type: object,
    name: string,
  ) => {
    readonly Value: (shown: object) => unknown;
    readonly Input?: unknown;
    readonly filtering: { readonly kind: string };
  };
}

const { kindFor } = await pageModule<Kinds>("kinds/index.ts");
const deal = consoleType("deal");

/** Returns the kind of a field that the service defines with this kind. */
function kindNamed(kind: string) {
  const field = { ...deal.members["lost_reason"], name: "it", kind } as Field;
  return kindFor({ ...deal, members: { it: field }, fields: { it: field } }, "it");
}

test("the pages know every kind that the service has", () => {
  const unknown = kindNamed("hologram");
  const missing = FIELD_KINDS.filter((kind) => kindNamed(kind) === unknown);
  // Ids are never edited.
  assert.deepEqual(missing, ["id"]);
});

test("a kind of a newer service is shown as text and cannot be edited", () => {
  const { Value, Input, filtering } = kindNamed("hologram");
  assert.equal(Value({ value: "blue" }), "blue");
  assert.equal(Input, undefined);
  assert.equal(filtering.kind, "text");
  assert.equal(kindNamed("constructor"), kindNamed("hologram"));
});
