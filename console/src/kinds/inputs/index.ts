/** The inputs that several kinds of fields share, and large inputs, which tables do not load. */

export { type FieldProps, type InputOrder, type Issues, messageAt } from "./field-props.ts";
export { INPUTS } from "./inputs.ts";
export { MomentInput } from "./moment-input.tsx";
export { type CreateFormProps, NestedForm } from "./nested-form.ts";
export { ReferenceInput } from "./reference-input.tsx";
