/** The traces of background jobs. */

import { asJob } from "./admission/index.ts";
import { errorTypeOf, type Attributes, type Tracing } from "./tracing/index.ts";

/** Runs a piece of background work in a trace of its own, if traces are on. */
export async function tracedJob<T>(
  tracing: Tracing | undefined,
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  const span = tracing?.start(name, { attributes });
  if (span?.isSampled !== true) return work();
  try {
    return await asJob(span, work);
  } catch (error) {
    span.fail(errorTypeOf(error));
    throw error;
  } finally {
    span.end();
  }
}
