/** Signs out of the console: ends the session and clears all cached data. */

import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, type Sending, useSending } from "../api/index.ts";
import { sendHeldWork } from "../routing/index.ts";

export function useSignOut(): Sending<undefined> {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return useSending<undefined, unknown>(
    async () => {
      await sendHeldWork();
      return api.post("/auth/sign_out");
    },
    async () => {
      await navigate({ to: "/sign-in" });
      queries.clear();
    },
  );
}
