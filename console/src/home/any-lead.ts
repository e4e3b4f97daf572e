/** Whether the business has any leads. */

import { queryOptions } from "@tanstack/react-query";
import { readPage } from "../api/index.ts";

/** The result is loaded before the page is shown, so that the layout does not shift. */
export const anyLeadQuery = queryOptions({
  queryKey: ["list", "any lead"],
  queryFn: ({ signal }) => readPage("/crm/leads", { query: { page_size: 1 }, signal }),
});
