/** The values of a record and its history. */

export type { Change } from "./change.ts";
export { Details } from "./details.tsx";
export { History } from "./history.tsx";
export { ShownValue } from "./shown-value.tsx";
export { Value } from "./value.tsx";
