/** Record forms: initial values, inputs, and what is sent. */

export { FieldInput } from "./field-input.tsx";
export { type Issues, messageAt } from "./field-props.ts";
export { ReferenceInput } from "./reference-input.tsx";
export { MomentInput } from "./moment-input.tsx";
export { RecordForm } from "./record-form.tsx";
export { bodyOf, changesOf, draftOf, emptyDraft, isSame, patchOf } from "./draft.ts";
export { fieldsInOrder } from "./field-order.ts";
export { NestedForm } from "./nested-form.ts";
export { CreateForm } from "./create-form.tsx";
