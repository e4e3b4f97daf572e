/** The pages with the leads that the partner submitted. */

export { NothingPushed } from "./nothing-pushed.tsx";
export { PushedTable } from "./pushed-table.tsx";
