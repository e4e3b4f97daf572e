/** Record forms: initial values, inputs, and what is sent. */

export { FieldInput } from "./field-input.tsx";
export { RecordForm } from "./record-form.tsx";
export { bodyOf, changesOf, draftOf, emptyDraft, isSame, patchOf } from "./draft.ts";
export { fieldsInOrder } from "./field-order.ts";
export {
  type Issues,
  messageAt,
  MomentInput,
  NestedForm,
  ReferenceInput,
} from "../../kinds/inputs/index.ts";
export { CreateForm } from "./create-form.tsx";
