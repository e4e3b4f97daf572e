/**
 * Whether the run was started by `npm run test:long`. Otherwise, tests with a long form run the short one, which has
 * fewer repetitions of the same behavior.
 */
export const isLong = process.env["TEST_LONG"] !== undefined;
