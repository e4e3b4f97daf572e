/** Saved views as tabs. */

export { useViews } from "./use-views.ts";
export { ViewTabs } from "./view-tabs.tsx";
