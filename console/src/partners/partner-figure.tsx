/** A partner's figure in a table. The figure is loaded when the row scrolls into view. */

import { Skeleton } from "@mantine/core";
import { useInViewport } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useSession } from "../api/index.ts";
import { partnerTexts } from "../text/partners.ts";
import { money, number } from "../ui/format/index.ts";
import { numbersQuery, type Analytics } from "./partner.ts";

export interface PartnerFigureProps {
  readonly id: string;
  readonly name: "total_pushed" | "accepted" | "imported" | "estimated_earnings";
}

export function PartnerFigure({ id, name }: PartnerFigureProps) {
  const { ref, inViewport } = useInViewport();
  const { tenant } = useSession();
  const { data, isError } = useQuery({ ...numbersQuery(id), enabled: inViewport });
  return (
    <span ref={ref}>{isError ? partnerTexts.unavailable : shown(data, name, tenant.currency)}</span>
  );
}

function shown(data: Analytics | undefined, name: PartnerFigureProps["name"], currency: string) {
  if (data === undefined) return <Skeleton display="inline-block" h={16} w={48} />;
  return name === "estimated_earnings" ? money(data[name], currency) : number(data[name]);
}
