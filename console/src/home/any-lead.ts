/** Whether there is a lead at all. */

import { queryOptions } from "@tanstack/react-query";
import { readPage } from "../api/index.ts";

/** Known before the page is shown, so that nothing below it jumps. */
export const anyLeadQuery = queryOptions({
  queryKey: ["any-lead"],
  queryFn: ({ signal }) => readPage("/crm/leads", { query: { page_size: 1 }, signal }),
});
