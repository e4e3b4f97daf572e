/** The router with all routes. */

export { router } from "./router.tsx";
export { contrast, theme } from "./theme.ts";
