/** Parts of the frame of a page. */

export { Door } from "./door.tsx";
export { Frame } from "./frame.tsx";
export { MenuLink, type MenuLinkProps } from "./menu-link.tsx";
export { PageHeader } from "./page-header.tsx";
export { Section } from "./section.tsx";
export { SiteName } from "./site-name.ts";
export { WhoMenu } from "./who-menu.tsx";
