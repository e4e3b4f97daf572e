/** The body of a request that is read as it comes, with an end to patience. */

import type { Readable } from "node:stream";

/** A sender that sends nothing for so long is cut; its import can go on later. */
const STALL_ms = 60_000;

/**
 * The bytes of a body, taken no faster than they are used. Whoever stops early leaves the body open:
 * an answer is still to go out on its connection.
 */
export async function* patientBody(
  body: Readable,
  stall_ms: number = STALL_ms,
): AsyncGenerator<Uint8Array> {
  const source = body.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>;
  const stalled = () => body.destroy(new Error("The sender sent nothing for too long"));
  try {
    for (;;) {
      const timer = setTimeout(stalled, stall_ms);
      const { done, value } = await source.next().finally(() => clearTimeout(timer));
      if (done === true) return;
      yield value;
    }
  } finally {
    await source.return?.();
  }
}
