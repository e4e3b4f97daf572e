/**
 * A placeholder of about the same size as the content that is being loaded, so that the layout does
 * not shift.
 */

import { Skeleton, Stack, VisuallyHidden } from "@mantine/core";
import { t } from "../../text/index.ts";

export const Loading = ({ rows = 6 }: { readonly rows?: number }) => (
  <Stack gap="sm" aria-busy="true">
    <VisuallyHidden role="status">{t.common.loading}</VisuallyHidden>
    <Skeleton h={28} w={220} />
    {Array.from({ length: rows }, (_, at) => (
      <Skeleton key={at} h={36} />
    ))}
  </Stack>
);
