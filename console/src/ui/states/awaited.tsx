/** What stands in the place of an answer that is not there: it is waited for, or why there is none. */

import { Failure } from "./failure.tsx";
import { Waiting } from "./waiting.tsx";

export interface AwaitedProps {
  readonly query: {
    readonly isPending: boolean;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
  /** About as many as there will be. */
  readonly rows?: number;
}

export const Awaited = ({ query, ...size }: AwaitedProps) =>
  query.isPending ? (
    <Waiting {...size} />
  ) : (
    <Failure error={query.error} onRetry={() => void query.refetch()} />
  );
