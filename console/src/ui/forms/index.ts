/** Form components. */

export { AddressList } from "./address-list.tsx";
export { changedFields } from "./changed-fields.ts";
export { ConfirmButton, ConfirmModal, type Question } from "./confirm.tsx";
export { Copy, CopyBox, SecretOnce } from "./copy.tsx";
export { DayRange } from "./day-range.tsx";
export { FilterGrid } from "./filter-grid.tsx";
export { FormEnd } from "./form-end.tsx";
export { NumberField } from "./number-field.tsx";
export { ReasonForm } from "./reason-form.tsx";
export { SaveBar } from "./save-bar.tsx";
export { SearchMultiSelect, SearchSelect, SuggestInput } from "./search-select.tsx";
export { submitting } from "./submitting.ts";
export { useFaultFocus } from "./use-fault-focus.ts";
export { useSaving } from "./use-saving.ts";
export { useTyped } from "./use-typed.ts";
