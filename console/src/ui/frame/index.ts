/** Components for the frame of a page. */

export { CenteredCard } from "./centered-card.tsx";
export { Frame } from "./frame.tsx";
export { MenuLink, type MenuLinkProps } from "./menu-link.tsx";
export { PageHeader } from "./page-header.tsx";
export { Section } from "./section.tsx";
export { SiteName } from "./site-name.ts";
export { UserMenu } from "./user-menu.tsx";
