/**
 * Trials of single pages: `npm run test:pages`. Together they cost a browser more minutes than the suite has,
 * which runs the main way through each part and axe-core on every page, and tells the others as skipped.
 */

import { test, type TestContext } from "node:test";

const IS_WANTED = process.env["TRIALS"] !== undefined;

export const trial = (title: string, run: (t: TestContext) => Promise<void>): void => {
  void test(title, { skip: IS_WANTED ? false : "npm run test:pages" }, run);
};
