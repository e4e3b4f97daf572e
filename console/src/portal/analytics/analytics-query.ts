/** The query for the partner's counts and earnings, for a time range or for all time. */

import type { Analytics } from "@leadport/client";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/index.ts";
import type { Span } from "../../ui/days/index.ts";

export const analyticsQuery = (span: Span) =>
  queryOptions({
    queryKey: ["partner", "analytics", span],
    queryFn: ({ signal }): Promise<Analytics> =>
      api.get("/crm/partner/analytics", { query: span, signal }),
  });
