/** Whether an installation has an owner. Until an owner has set a password, no one can sign in. */

import { api } from "./client.ts";

/**
 * Whether an owner exists. Also true if the service does not respond, so that the sign-in page can
 * show the error.
 */
export const hasOwner = async (): Promise<boolean> => {
  try {
    return (await api.get("/auth/installation")).has_owner;
  } catch {
    return true;
  }
};
