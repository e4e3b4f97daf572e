/** Pages of lists: their parameters, links and counts. */

export {
  linkNext,
  type Page,
  PAGE_PARAMETERS,
  PAGE_SCHEMAS,
  pageOf,
  type PageQuery,
  queryError,
  refuseCursorWithPageNum,
  sendCount,
  type Slice,
  sliceOf,
  wantsCount,
} from "./paging.ts";
