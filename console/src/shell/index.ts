/** The frame of the console, and the route that it belongs to. */

export { consoleRoute, needs } from "./console-route.tsx";
