/** Shows a placeholder while data is loading, or the error if loading failed. */

import { Failure } from "./failure.tsx";
import { Loading } from "./loading.tsx";

export interface QueryStateProps {
  readonly query: {
    readonly isPending: boolean;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
  /** The approximate number of rows to expect. */
  readonly rows?: number;
}

export const QueryState = ({ query, ...size }: QueryStateProps) =>
  query.isPending ? (
    <Loading {...size} />
  ) : (
    <Failure error={query.error} onRetry={() => void query.refetch()} />
  );
