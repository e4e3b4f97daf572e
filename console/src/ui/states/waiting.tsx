/** The place of content that is on its way: of its size, so that nothing jumps. */

import { Skeleton, Stack, VisuallyHidden } from "@mantine/core";
import { t } from "../../text/index.ts";

export const Waiting = ({ rows = 6 }: { readonly rows?: number }) => (
  <Stack gap="sm" aria-busy="true">
    <VisuallyHidden role="status">{t.common.loading}</VisuallyHidden>
    <Skeleton h={28} w={220} />
    {Array.from({ length: rows }, (_, at) => (
      <Skeleton key={at} h={36} />
    ))}
  </Stack>
);
