/** The way out of the console: the session ends, and nothing that it showed is kept. */

import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, type Sending, sessionQuery, useSending } from "../api/index.ts";

export function useSignOut(): Sending<undefined> {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return useSending<undefined, unknown>(
    async () => api.post("/auth/sign_out"),
    async () => {
      await navigate({ to: "/sign-in" });
      queries.clear();
      queries.setQueryData(sessionQuery.queryKey, null);
    },
  );
}
