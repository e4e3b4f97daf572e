/** Compresses responses. Low compression levels save nearly as much as high ones. */

import { constants } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/**
 * The minimum size of responses to compress. Smaller responses fit into one or two packets even without compression.
 */
const THRESHOLD_bytes = 1024;
/**
 * Responses up to this size are compressed synchronously, within half a millisecond. Larger ones are compressed in a
 * separate thread.
 */
const SYNC_bytes = 256 * 1024;

const LOW_LEVEL = 1;

/**
 * Adds compression. Call this before adding the first route. Event streams are not compressed, because that would delay
 * events.
 */
export async function addCompression(app: FastifyInstance): Promise<void> {
  // The package is loaded only if compression is enabled.
  const { default: compress } = await import("@fastify/compress");
  await app.register(compress, {
    encodings: ["br", "zstd", "gzip"],
    globalDecompression: false,
    threshold: THRESHOLD_bytes,
    syncThreshold: SYNC_bytes,
    // The compression level for gzip. zstd is just as fast with its default level.
    zlibOptions: { level: LOW_LEVEL },
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: LOW_LEVEL } },
  });
  app.addHook("onRoute", (route) => {
    if (route.method !== "HEAD" || route.compress === false) return;
    route.onSend = [route.onSend ?? [], omitLength].flat();
  });
}

/** Omits Content-Length from HEAD responses, because GET might compress the body to another length (RFC 9110, 8.6). */
function omitLength(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  _payload: unknown,
  done: () => void,
): void {
  if (headers["accept-encoding"] !== undefined) reply.removeHeader("content-length");
  done();
}
