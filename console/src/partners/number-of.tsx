/** One of a partner's numbers in a table: asked for when its row comes into view. */

import { Skeleton } from "@mantine/core";
import { useInViewport } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useSession } from "../api/index.ts";
import { partnerTexts } from "../text/partners.ts";
import { money, number } from "../ui/format/index.ts";
import { numbersQuery, type Analytics } from "./partner.ts";

export interface NumberOfProps {
  /** The partner's. */
  readonly id: string;
  readonly name: "total_pushed" | "accepted" | "imported" | "estimated_earnings";
}

export function NumberOf({ id, name }: NumberOfProps) {
  const { ref, inViewport } = useInViewport();
  const { tenant } = useSession();
  const { data, isError } = useQuery({ ...numbersQuery(id), enabled: inViewport });
  return (
    <span ref={ref}>{isError ? partnerTexts.unknown : shown(data, name, tenant.currency)}</span>
  );
}

function shown(data: Analytics | undefined, name: NumberOfProps["name"], currency: string) {
  if (data === undefined) return <Skeleton h={16} w={48} ml="auto" my={3} />;
  return name === "estimated_earnings" ? money(data[name], currency) : number(data[name]);
}
