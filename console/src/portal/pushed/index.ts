/** The leads that the partner submitted. */

export { NothingPushed } from "./nothing-pushed.tsx";
export { PushedTable } from "./pushed-table.tsx";
