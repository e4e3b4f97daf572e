/** Sends held decisions when the user leaves the page or closes the window. */

import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { COUNTS_KEY, PUSHED_LEADS } from "../pushed-leads/index.ts";
import { outbox } from "./decision-outbox.ts";

export function useLeaving(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const readAnew = (event: PageTransitionEvent): void => {
      if (!event.persisted) return;
      void queries.invalidateQueries({ queryKey: ["list", PUSHED_LEADS] });
      void queries.invalidateQueries({ queryKey: COUNTS_KEY });
    };
    window.addEventListener("pagehide", outbox.leave);
    window.addEventListener("pageshow", readAnew);
    return () => {
      window.removeEventListener("pagehide", outbox.leave);
      window.removeEventListener("pageshow", readAnew);
      void outbox.flush();
    };
  }, [queries]);
}
