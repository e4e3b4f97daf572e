/** The partner that somebody came by, as far as whoever looks may know. */

import { useQuery } from "@tanstack/react-query";
import { ask, useMay } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { TextLink } from "../../ui/states/index.ts";

export function PartnerName({ id }: { readonly id: string }) {
  const isAdmin = useMay("admin");
  const partner = useQuery({
    queryKey: ["partner", id],
    queryFn: async ({ signal }) =>
      (
        await ask<{ readonly name: string }>(
          "get",
          `/crm/admin/partners/${encodeURIComponent(id)}`,
          {
            signal,
          },
        )
      ).data,
    enabled: isAdmin,
  });
  if (!isAdmin) return t.record.partner;
  return (
    <TextLink to="/partners/$id" params={{ id }} size="sm">
      {partner.data?.name ?? t.record.partner}
    </TextLink>
  );
}
