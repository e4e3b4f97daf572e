/** Compresses responses at low levels, which save nearly all there is to save (bench/README.md). */

import { constants } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** Smaller answers fit into one packet or two as they are. */
const THRESHOLD_bytes = 1024;
/** What is packed at once, in half a millisecond; the rest streams through a thread. */
const AT_ONCE_bytes = 256 * 1024;

const LOW_LEVEL = 1;

/** To be called before the first route is added. Streams of events are not packed: they may not wait. */
export async function addCompression(app: FastifyInstance): Promise<void> {
  // Only those who want it pay for loading it.
  const { default: compress } = await import("@fastify/compress");
  await app.register(compress, {
    encodings: ["br", "zstd", "gzip"],
    globalDecompression: false,
    threshold: THRESHOLD_bytes,
    syncThreshold: AT_ONCE_bytes,
    // Of gzip; zstd keeps its own level, which costs as little.
    zlibOptions: { level: LOW_LEVEL },
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: LOW_LEVEL } },
  });
  app.addHook("onRoute", (route) => {
    if (route.method !== "HEAD" || route.compress === false) return;
    route.onSend = [route.onSend ?? [], leaveLengthOpen].flat();
  });
}

/** HEAD packs nothing, and may not tell another length than GET, which might (RFC 9110, 8.6). */
function leaveLengthOpen(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  _payload: unknown,
  done: () => void,
): void {
  if (headers["accept-encoding"] !== undefined) reply.removeHeader("content-length");
  done();
}
