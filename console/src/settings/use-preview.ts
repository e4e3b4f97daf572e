/** What a request would be, as the service renders it from settings that are not saved. */

import { isInvalid } from "@leadport/client";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ask } from "../api/client.ts";
import { issuesByField } from "../api/issues.ts";

const TYPING_ms = 400;

export interface Rendered {
  readonly body: string;
  readonly content_type: string;
  /** Values masked. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Preview {
  readonly rendered: Rendered | undefined;
  /** What keeps it from being rendered, at the fields. */
  readonly issues: Readonly<Record<string, string>>;
  /** What else went wrong. */
  readonly error: unknown;
}

/** Asks a while after the last change; `body` is what PUT would take. */
export function usePreview(path: string, body: object): Preview {
  const [sent] = useDebouncedValue(JSON.stringify(body), TYPING_ms);
  const { data, error } = useQuery({
    queryKey: ["preview", path, sent],
    queryFn: async ({ signal }) => {
      const options = { body: JSON.parse(sent) as unknown, idempotencyKey: false, signal } as const;
      return (await ask<Rendered>("post", path, options)).data;
    },
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return {
    rendered: error === null ? data : undefined,
    issues: issuesByField(error),
    error: isInvalid(error) ? null : error,
  };
}
