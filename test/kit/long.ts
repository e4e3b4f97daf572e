/** Whether this is `npm run test:long`. Tests with a long form run their short form in `npm run test:more`. */
export const isLong = process.env["TEST_LONG"] !== undefined;
