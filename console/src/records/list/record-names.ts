/** The names of records of which the ids are known. */

import { useQueries } from "@tanstack/react-query";
import { ask } from "../../api/index.ts";
import { readPath, type RecordType, type Stored } from "../record/index.ts";

export function useRecordNames(
  type: RecordType | undefined,
  ids: readonly string[],
): ReadonlyMap<string, string> {
  const found = useQueries({
    queries: (type === undefined ? [] : ids).map((id) => ({
      queryKey: ["name", type?.name, id],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        (await ask<Stored>("get", readPath(type as RecordType, id), { signal })).data.name,
      staleTime: 60_000,
    })),
  });
  return new Map(
    ids.flatMap((id, at): [string, string][] => {
      const name = found[at]?.data;
      return name === undefined ? [] : [[id, name]];
    }),
  );
}
