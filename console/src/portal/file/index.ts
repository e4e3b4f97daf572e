/** Submits a file of leads in the portal. */

export { RunBanner } from "./run-banner.tsx";
export { forgetRun } from "./current-run.ts";
