/** Whether certificates can be made here: what to pass as a test's `skip`. */

import { execFileSync } from "node:child_process";

function isThere(): boolean {
  try {
    return execFileSync("openssl", ["version"]).length > 0;
  } catch {
    return false;
  }
}

/** False where there is an openssl; else why a test is skipped. */
export const withoutOpenssl: string | false = !isThere() && "needs openssl to make a certificate";
