/** The filter drawer, and the summary of applied conditions. */

export { FilterSummary } from "./filter-summary.tsx";
