/** Converts a row's cells to the body of a record and its references. */

export {
  type MissingAccount,
  missingAccounts,
  type Rejected,
  rejectedWithAccount,
} from "./missing-accounts.ts";
export { type Resolve, settleReferences, wantedLookups } from "./references.ts";
export { keepNote } from "./row-completion.ts";
export { isRefused, readRow, type RefusedRow, type RowInput } from "./row-input.ts";
export { type Link, LINK_OUTCOMES } from "./row-references.ts";
export { isForNew, type Warning, type WarningKind } from "./row-warnings.ts";
