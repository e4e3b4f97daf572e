/** A list's states: loading, error, empty, items, and loading more. */

import { Button, Center, type ButtonProps } from "@mantine/core";
import type { ReactNode } from "react";
import type { List } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { QueryState, Failure } from "../states/index.ts";

export interface ListStatesProps {
  readonly list: List<unknown>;
  /** Shown if the list is empty. */
  readonly empty: ReactNode;
  readonly children: ReactNode;
}

export function ListStates({ list: { items, query }, empty, children }: ListStatesProps) {
  if (!query.isSuccess && items.length === 0) return <QueryState query={query} />;
  if (items.length === 0) return empty;
  return (
    <>
      {children}
      <Failure error={query.error} onRetry={() => void query.fetchNextPage()} />
      {query.hasNextPage && (
        <Center mt="md">
          <ShowMore query={query} />
        </Center>
      )}
    </>
  );
}

export interface ShowMoreProps extends ButtonProps {
  readonly query: List<unknown>["query"];
}

/** A button that loads the next page; absent on the last page. */
export const ShowMore = ({ query, ...button }: ShowMoreProps) =>
  query.hasNextPage && (
    <Button
      variant="default"
      {...button}
      loading={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
    >
      {t.common.showMore}
    </Button>
  );
