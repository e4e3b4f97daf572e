/** The leads that a partner has submitted. */

export { NothingPushed } from "./nothing-pushed.tsx";
export { PushedTable } from "./pushed-table.tsx";
