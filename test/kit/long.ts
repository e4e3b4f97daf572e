/**
 * Whether the run was started by `npm run test:long`. In `npm run test:more`, tests with a long form run the short
 * one.
 */
export const isLong = process.env["TEST_LONG"] !== undefined;
