/** Lists and tables. */

export { type Column, DataTable } from "./data-table.tsx";
export { Excerpt } from "./excerpt.tsx";
export { Fact, Facts } from "./facts.tsx";
export { ListStates, ShowMore } from "./list-states.tsx";
export { ListTable } from "./list-table.tsx";
export { Moment } from "./moment.tsx";
export { NestedValue } from "./nested-value.tsx";
export { Stat, Stats } from "./stat.tsx";
export { StatusBadge, statusColor } from "./status-badge.tsx";
export { useNow } from "./use-now.ts";
export { Time } from "./time.tsx";
