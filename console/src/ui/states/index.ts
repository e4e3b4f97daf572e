/** Loading, error and empty states, and links. */

export { BackLink } from "./back-link.tsx";
export { QueryState } from "./query-state.tsx";
export { Failure, Fault } from "./failure.tsx";
export { LinkButton } from "./link-button.tsx";
export { Empty, Forbidden, NotFound } from "./states.tsx";
export { TextLink } from "./text-link.tsx";
export { Loading } from "./loading.tsx";
