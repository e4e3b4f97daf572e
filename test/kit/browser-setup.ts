/** Global setup for browser tests: reports a missing Chromium once, before the first test file runs. */

import { hasChromium, MISSING } from "./chromium.ts";
import { globalSetup as startDatabase } from "./global-setup.ts";

export { globalTeardown } from "./global-setup.ts";

export async function globalSetup(): Promise<void> {
  if (!hasChromium()) console.error(`${MISSING}\nThey are skipped.`);
  await startDatabase();
}
