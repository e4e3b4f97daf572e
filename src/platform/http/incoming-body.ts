/** Reads the body of a request into memory, within its limits of size, time and bytes held. */

import type { FastifyRequest } from "fastify";
import type { Readable } from "node:stream";
import { BODY_PACE, createArrival, type Pace } from "./arrival.ts";
import { whenClosed } from "./connections.ts";
import { AppError } from "../errors/index.ts";
import { createHeldBytes, type HeldMax } from "./held-bytes.ts";
import type { WithCaller } from "./request-log.ts";

/** A body that takes no timer and is not counted if it has arrived already. */
const SMALL_bytes = 16 * 1024;

/** The limits of all bodies, where a test sets others. */
export interface BodyLimits {
  readonly pace?: Pace;
  readonly held?: HeldMax;
}

/** A content type parser that returns the body as bytes, or the error that refuses it. */
export function bodyReader({ pace = BODY_PACE, held: max }: BodyLimits = {}) {
  const holdFor = createHeldBytes(max);
  return (
    request: FastifyRequest,
    payload: Readable,
    done: (error: Error | null, body?: Buffer) => void,
  ): void => {
    // Nothing is read for a path that does not exist.
    if (request.is404) return done(null);
    const { bodyLimit } = request.routeOptions;
    const announced = Number(request.headers["content-length"] ?? Number.NaN);
    if (announced > bodyLimit) return done(new AppError("body_too_large"));
    // Most bodies are small and have arrived by the time their caller is known.
    if (announced <= SMALL_bytes && announced > 0 && payload.readableLength === announced) {
      return done(null, payload.read() as Buffer);
    }
    const held = holdFor({
      credential: (request as WithCaller).callerState?.holder,
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
        return finish(error as Error);
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
