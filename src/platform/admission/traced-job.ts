/** The traces of background jobs. */

import { asJob } from "./party.ts";
import { during, type Attributes, type Tracing } from "../tracing/index.ts";

/** Runs a piece of background work in a separate trace, if traces are on. */
export function tracedJob<T>(
  tracing: Tracing | undefined,
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  const span = tracing?.start(name, { attributes });
  return span?.isSampled === true ? during(span, () => asJob(span, work)) : work();
}
