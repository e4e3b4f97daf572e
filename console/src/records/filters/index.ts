/** The drawer and the summary of conditions. */

export { FilterSummary } from "./filter-summary.tsx";
