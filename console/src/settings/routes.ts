/** The settings routes. */

import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { consoleRoute, needs } from "../routing/index.ts";
import { readAuditSearch, readSystemSearch, readTab } from "./search/index.ts";

export const settingsRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: "/settings",
    beforeLoad: () => {
      throw redirect({ to: "/settings/integrations", replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: "/settings/integrations",
    validateSearch: readTab,
    ...needs("admin"),
    component: lazyRouteComponent(() => import("./integrations.tsx")),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: "/settings/webhooks",
    ...needs("admin"),
    component: lazyRouteComponent(() => import("./webhooks/webhooks.tsx")),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: "/settings/webhooks/new",
    ...needs("admin"),
    component: lazyRouteComponent(() => import("./webhooks/new-webhook.tsx")),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: "/settings/webhooks/$id",
    ...needs("admin"),
    component: lazyRouteComponent(() => import("./webhooks/one-webhook.tsx")),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: "/settings/audit",
    validateSearch: readAuditSearch,
    ...needs("admin"),
    component: lazyRouteComponent(() => import("./audit/audit.tsx")),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: "/settings/tenant",
    ...needs("admin"),
    component: lazyRouteComponent(() => import("./tenant.tsx")),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: "/settings/privacy",
    ...needs("admin"),
    component: lazyRouteComponent(() => import("./privacy/privacy.tsx")),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: "/settings/system",
    validateSearch: readSystemSearch,
    ...needs("admin"),
    component: lazyRouteComponent(() => import("./system.tsx")),
  }),
] as const;
