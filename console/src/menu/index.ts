/** The main menu, the account menu, and signing out. */

export { AccountMenu } from "./account-menu.tsx";
export { MainMenu, useMenu } from "./main-menu.tsx";
export { useSignOut } from "./use-sign-out.ts";
