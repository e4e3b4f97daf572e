/** What a request would be, as the service renders it from settings that are not saved. */

import { isInvalid, type CalloutPreview } from "@leadport/client";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { issuesByField } from "../../api/index.ts";

const TYPING_ms = 400;

export interface Preview {
  readonly rendered: CalloutPreview | undefined;
  /** What keeps it from being rendered, and the settings from being saved, at the fields. */
  readonly issues: Readonly<Record<string, string>>;
  /** What else went wrong. */
  readonly error: unknown;
}

export interface PreviewOptions<B> {
  /** Which endpoint it is of. */
  readonly of: string;
  /** What PUT would take. */
  readonly body: B;
  readonly render: (
    options: Readonly<{ body: B; signal: AbortSignal; idempotencyKey: false }>,
  ) => Promise<CalloutPreview>;
}

/** Asks a while after the last change. */
export function usePreview<B>({ of, body, render }: PreviewOptions<B>): Preview {
  const [sent] = useDebouncedValue(JSON.stringify(body), TYPING_ms);
  const { data, error } = useQuery({
    queryKey: ["preview", of, sent],
    queryFn: async ({ signal }) =>
      render({ body: JSON.parse(sent) as B, signal, idempotencyKey: false }),
    placeholderData: keepPreviousData,
    // What is stored behind a mask may change meanwhile; the rest is in the key.
    staleTime: 60_000,
    retry: false,
  });
  return {
    rendered: error === null ? data : undefined,
    issues: issuesByField(error),
    error: isInvalid(error) ? null : error,
  };
}
