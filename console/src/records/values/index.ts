/** Displays a record's values and its history. */

export { MailLink } from "../../kinds/shown/index.ts";
export { type Change, shownFields } from "./change.ts";
export { Details, isRepeated } from "./details.tsx";
export { History } from "./history.tsx";
export { ShownValue } from "./shown-value.tsx";
export { Value } from "./value.tsx";
