/** The HTTP server: connections, headers, bodies, static files and request logs. */

export { createArrival, UPLOAD_PACE } from "./arrival.ts";
export { addCompression } from "./compression.ts";
export { whenClosed } from "./connections.ts";
export { closeWhenStalled, createHttp } from "./http.ts";
export type { BodyLimits } from "./incoming-body.ts";
export { knownError } from "./known-error.ts";
export { createLog } from "./log.ts";
export { type PathConfig, refuseOtherMethods } from "./other-methods.ts";
export { ConcurrencyLimit } from "./concurrency-limit.ts";
export { createReadingTurns, type InTurn } from "./reading-turns.ts";
export {
  type CallerFacts,
  type Identity,
  identityOf,
  LOGGED_ADDRESSES,
  type WithCaller,
} from "./request-log.ts";
export { addTracing, spanOf } from "./request-spans.ts";
export { refuseCrossSite, refuseOtherOrigins } from "./same-origin.ts";
export { addPageFiles, openPages, pageHeaders, type Pages } from "./static-files.ts";
