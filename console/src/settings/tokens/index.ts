/** Access tokens. */

export { TokensPanel } from "./tokens.tsx";
