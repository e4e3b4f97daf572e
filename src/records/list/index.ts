/** Sorted, paged and streamed lists, including windows, exports and summaries. */

export { BATCH_FIRST, KEPT_BYTES, nextSize } from "./batch-size.ts";
export { type ExportPlan, exportParameters, planExport } from "./export.ts";
export { type ListPlan, planList, planPage, withRecords } from "./plan.ts";
export { fieldsParameterOf, LIST_PARAMETERS, type ListQuery } from "./list-parameters.ts";
export { joinBodies } from "./read-page.ts";
export { sendGroups, sendList } from "./send-list.ts";
export { planSummary, readSummary, SUMMARY_SCHEMA, summaryParameters } from "./summary.ts";
export { DATE_PARAMETERS, nextStart, type Span, spanBetween } from "./window.ts";
export { asTooSlow } from "./too-slow.ts";
