/** The inputs for the values of filter conditions. */

export { type ConditionProps, CONDITIONS } from "./conditions.tsx";
