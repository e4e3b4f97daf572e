/** Previews a request, which the service renders from unsaved settings. */

import { isInvalid, type CalloutPreview } from "@leadport/client";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { issuesByField } from "../../api/index.ts";

const TYPING_ms = 400;

export interface Preview {
  readonly rendered: CalloutPreview | undefined;
  /** Validation errors by field, which also prevent saving. */
  readonly issues: Readonly<Record<string, string>>;
  /** Any error other than a validation error. */
  readonly error: unknown;
}

export interface PreviewOptions<B> {
  /** The path of the settings to preview, which is part of the cache key. */
  readonly of: string;
  /** The unsaved settings, as they would be sent to save them. */
  readonly body: B;
  readonly render: (
    options: Readonly<{ body: B; signal: AbortSignal; idempotencyKey: false }>,
  ) => Promise<CalloutPreview>;
}

/** Requests a preview shortly after the last change. */
export function usePreview<B>({ of, body, render }: PreviewOptions<B>): Preview {
  const [sent] = useDebouncedValue(JSON.stringify(body), TYPING_ms);
  const { data, error } = useQuery({
    queryKey: ["preview", of, sent],
    queryFn: async ({ signal }) =>
      render({ body: JSON.parse(sent) as B, signal, idempotencyKey: false }),
    placeholderData: keepPreviousData,
    // A preview expires because the stored values behind masks may change. All other inputs are part of the cache key.
    staleTime: 60_000,
    retry: false,
  });
  return {
    rendered: error === null ? data : undefined,
    issues: issuesByField(error),
    error: isInvalid(error) ? null : error,
  };
}
