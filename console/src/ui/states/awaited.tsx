/** A placeholder while data is loading, or the error. */

import { Failure } from "./failure.tsx";
import { Waiting } from "./waiting.tsx";

export interface AwaitedProps {
  readonly query: {
    readonly isPending: boolean;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
  /** About the expected number of rows. */
  readonly rows?: number;
}

export const Awaited = ({ query, ...size }: AwaitedProps) =>
  query.isPending ? (
    <Waiting {...size} />
  ) : (
    <Failure error={query.error} onRetry={() => void query.refetch()} />
  );
