/** Whether the installation is new, which means that no user can sign in until an owner has set a password. */

import { api } from "./client.ts";

/**
 * Whether there is an owner. True if the service does not respond: the sign-in page then shows
 * the error.
 */
export const hasOwner = async (): Promise<boolean> => {
  try {
    return (await api.get("/auth/installation")).has_owner;
  } catch {
    return true;
  }
};
