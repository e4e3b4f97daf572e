/** Waiting, failed, empty, and links. */

export { Awaited } from "./awaited.tsx";
export { Failure, Fault } from "./failure.tsx";
export { LinkButton } from "./link-button.tsx";
export { Empty, Forbidden, NotFound } from "./states.tsx";
export { TextLink } from "./text-link.tsx";
export { Waiting } from "./waiting.tsx";
