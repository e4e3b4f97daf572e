/** The frame of the console and its parent route. */

export { consoleRoute, needs } from "./console-route.tsx";
