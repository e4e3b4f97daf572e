/** Reads a request body into memory, with limits on its size, its duration and the total memory. */

import type { Readable } from "node:stream";
import { BODY_PACE, createArrival, type Pace } from "./arrival.ts";
import { whenClosed } from "./connections.ts";
import { AppError, asError } from "../errors/index.ts";
import { createHeldBytes, type HeldMax } from "./held-bytes.ts";
import type { WithCaller } from "./request-log.ts";

/** Bodies up to this size that have already arrived need no timer and do not count toward the memory limits. */
const SMALL_bytes = 16 * 1024;

/** Limits that tests can change. */
export interface BodyLimits {
  readonly pace?: Pace;
  readonly held?: HeldMax;
}

/** Creates a content type parser that returns the body as bytes or rejects it. */
export function bodyReader({ pace = BODY_PACE, held: max }: BodyLimits = {}) {
  const holdFor = createHeldBytes(max);
  return (
    request: WithCaller,
    payload: Readable,
    done: (error: Error | null, body?: Buffer) => void,
  ): void => {
    // Do not read bodies for paths that do not exist.
    if (request.is404) return done(null);
    const { bodyLimit } = request.routeOptions;
    const announced = Number(request.headers["content-length"] ?? Number.NaN);
    if (announced > bodyLimit) return done(new AppError("body_too_large"));
    // Most bodies are small and have arrived completely by the time the caller is known. These need no timer.
    if (announced <= SMALL_bytes && announced > 0 && payload.readableLength === announced) {
      return done(null, payload.read() as Buffer);
    }
    const held = holdFor({
      credential: request.callerState?.holder,
      address: request.ip,
    });
    whenClosed(request, held.release);
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = (error: Error | null): void => {
      arrival.end();
      payload.off("data", take).off("end", end).off("error", fail);
      if (error === null) done(null, Buffer.concat(chunks, bytes));
      else done(error);
    };
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > bodyLimit) return finish(new AppError("body_too_large"));
      try {
        held.add(chunk.length);
      } catch (error) {
        return finish(asError(error));
      }
      chunks.push(chunk);
      arrival.receive(chunk.length);
      if (bytes !== announced) arrival.wait();
    };
    const end = (): void => finish(null);
    const fail = (error: Error): void => finish(Object.assign(error, { statusCode: 400 }));
    const arrival = createArrival(pace, () => finish(new AppError("body_too_slow")));
    payload.on("data", take).on("end", end).on("error", fail);
    arrival.wait();
  };
}
