/** Reads a request body as it arrives, and aborts if it arrives too slowly. */

import type { Readable } from "node:stream";
import { createArrival, UPLOAD_PACE } from "../../platform/http/index.ts";
import { AppError } from "../../platform/errors/index.ts";
import { Interrupted } from "./interrupted.ts";

const tooSlow = (): AppError =>
  new AppError("body_too_slow", {
    detail:
      "The file arrived at less than 1 KiB/s, or nothing arrived for too long; send the same file again to resume the import",
    headers: { connection: "close" },
  });

export interface PaceOptions {
  /** The period over which the sending speed is averaged. Default: one minute. */
  readonly window_ms?: number | undefined;
  /** When aborted, reading the body fails with Interrupted. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Yields the bytes of a body at the speed of the consumer. Throws 408 if they arrive at less than 1 KiB/s, averaged
 * over the window. The import can then be resumed. The body is not destroyed, because the response must still be sent
 * on its connection.
 */
export async function* pacedBody(
  body: Readable,
  { window_ms = UPLOAD_PACE.grace_ms, signal }: PaceOptions = {},
): AsyncGenerator<Uint8Array> {
  const source = body.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>;
  let interrupt: ((reason: Error) => void) | undefined;
  const pace = { ...UPLOAD_PACE, grace_ms: window_ms, saved_max_ms: window_ms };
  const arrival = createArrival(pace, () => interrupt?.(tooSlow()));
  const stop = () => interrupt?.(new Interrupted("The service is stopping"));
  signal?.addEventListener("abort", stop, { once: true });
  try {
    for (;;) {
      // Create a new promise each time, because a single one would keep every chunk in memory until it settles.
      const { promise: interrupted, reject } = Promise.withResolvers<never>();
      interrupt = reject;
      if (signal?.aborted === true) stop();
      const next = source.next();
      next.catch(() => undefined);
      arrival.wait();
      const { done, value } = await Promise.race([next, interrupted]);
      if (done === true) return;
      arrival.receive(value.length);
      yield value;
    }
  } finally {
    arrival.end();
    signal?.removeEventListener("abort", stop);
    // Not awaited, because closing the source could wait for bytes that never arrive.
    source.return?.().catch(() => undefined);
  }
}
