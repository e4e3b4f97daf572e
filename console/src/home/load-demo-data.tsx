/** The demo data section on the home page, shown while the business has no leads. */

import { useQuery } from "@tanstack/react-query";
import { DemoData } from "../demo-data/index.ts";
import { anyLeadQuery } from "./any-lead.ts";

export function LoadDemoData() {
  const { data } = useQuery(anyLeadQuery);
  return data?.items.length === 0 ? <DemoData /> : null;
}
