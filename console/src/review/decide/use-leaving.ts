/** Whatever is held is sent when the page is left: to another one, or for good. */

import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { COUNTS_KEY, PUSHED_LEADS } from "../pushed-leads/index.ts";
import { desk } from "./review-desk.ts";

export function useLeaving(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const readAnew = (event: PageTransitionEvent): void => {
      if (!event.persisted) return;
      void queries.invalidateQueries({ queryKey: ["list", PUSHED_LEADS] });
      void queries.invalidateQueries({ queryKey: COUNTS_KEY });
    };
    window.addEventListener("pagehide", desk.leave);
    window.addEventListener("pageshow", readAnew);
    return () => {
      window.removeEventListener("pagehide", desk.leave);
      window.removeEventListener("pageshow", readAnew);
      desk.flush();
    };
  }, [queries]);
}
