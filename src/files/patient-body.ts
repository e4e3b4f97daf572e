/** The body of a request that is read as it arrives, as long as it arrives at a minimum speed. */

import type { Readable } from "node:stream";
import { AppError } from "../platform/errors.ts";
import { Interrupted } from "./interrupted.ts";

/** A sender must send 1 KiB/s, averaged over a minute. A slower upload is cut and can be resumed. */
const WINDOW_ms = 60_000;
const ms_PER_BYTE = 1000 / 1024;

const tooSlow = (): AppError =>
  new AppError("body_too_slow", {
    detail:
      "The file arrived at less than 1 KiB/s, or its sender sent nothing for too long; send the same file again to resume the import",
    headers: { connection: "close" },
  });

export interface Patience {
  /** How long the service waits for bytes before they must have arrived at the minimum speed. */
  readonly window_ms?: number | undefined;
  /** Ends the body with Interrupted. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The bytes of a body, taken no faster than they are used. Only the time in which the service waits for
 * bytes counts. Throws 408 if they arrive too slowly. The body stays open: a response is still to be sent
 * on its connection.
 */
export async function* patientBody(
  body: Readable,
  { window_ms = WINDOW_ms, signal }: Patience = {},
): AsyncGenerator<Uint8Array> {
  const source = body.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>;
  // Waiting uses it up, bytes earn it.
  let left_ms = window_ms;
  try {
    for (;;) {
      const begun_ms = performance.now();
      const { done, value } = await nextOf(source, left_ms, signal);
      left_ms -= performance.now() - begun_ms;
      if (done === true) return;
      left_ms = Math.min(window_ms, left_ms + value.length * ms_PER_BYTE);
      yield value;
    }
  } finally {
    // Not awaited: it would wait for bytes that may never arrive.
    source.return?.().catch(() => undefined);
  }
}

/** The next bytes. Whatever ends the wait early leaves the source waiting for them. */
async function nextOf(
  source: AsyncIterator<Uint8Array>,
  wait_ms: number,
  signal: AbortSignal | undefined,
): Promise<IteratorResult<Uint8Array>> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const stop = () => reject(new Interrupted("The service is stopping"));
  const timer = setTimeout(() => reject(tooSlow()), Math.max(0, wait_ms));
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted === true) stop();
  const next = source.next();
  next.catch(() => undefined);
  try {
    return await Promise.race([next, ended]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}
