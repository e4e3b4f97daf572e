/** The inputs that several kinds of fields share, and those that are too large for a table's page. */

export { NumberField, SearchSelect, SuggestInput } from "../../ui/forms/index.ts";
export { AssigneeInput } from "./assignee-input.tsx";
export { EntriesInput } from "./entries-input.tsx";
export { type FieldProps, type InputOrder, type Issues, messageAt } from "./field-props.ts";
export { FreeInput } from "./free-input.tsx";
export { LinesInput } from "./lines-input.tsx";
export { MomentInput } from "./moment-input.tsx";
export { type CreateFormProps, NestedForm } from "./nested-form.ts";
export { ReferenceInput } from "./reference-input.tsx";
export { SocialsInput } from "./socials-input.tsx";
