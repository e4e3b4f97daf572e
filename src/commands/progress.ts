/** Shows the progress of a copy operation as soon as the total size is known. */

import { startProgress } from "../files/imports/index.ts";
import { systemClock } from "../platform/clock/index.ts";

/** Creates a progress display. Call `update` with the copied and the total bytes, and `stop` at the end. */
export function copyProgress() {
  let progress: ReturnType<typeof startProgress> | undefined;
  return {
    update: (done: number, total: number): void => {
      progress ??= startProgress({
        stream: process.stderr,
        total,
        unit: "MB",
        now: systemClock().now_ms,
      });
      progress.update(done, Math.floor(done / 1e6));
    },
    stop: (): void => progress?.stop(),
  };
}
