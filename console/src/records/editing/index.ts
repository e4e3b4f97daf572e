/** Editing records, and resolving conflicts with other users' edits. */

export { EditForm } from "./edit-form.tsx";
export { useLeaveGuard } from "./leave-guard.tsx";
export { LostReasonDialog } from "./lost-reason-dialog.tsx";
export { StatusMenu } from "./status-menu.tsx";
export { TagsEditor } from "./tags-editor.tsx";
export { useEditing } from "./use-editing.tsx";
