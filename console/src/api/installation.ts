/** Whether the installation is new: no user can sign in until an owner has set a password. */

import { api } from "./client.ts";

/** Whether there is an owner. True if the service does not say: the sign-in then shows what is wrong. */
export const hasOwner = async (): Promise<boolean> => {
  try {
    return (await api.get("/auth/installation")).has_owner;
  } catch {
    return true;
  }
};
