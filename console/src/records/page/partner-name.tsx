/** The partner that somebody came by, as far as whoever looks may know. */

import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ask } from "../../api/client.ts";
import { useMay } from "../../api/session.ts";
import { t } from "../../text/index.ts";

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
    <Anchor component={Link} to={`/partners/${encodeURIComponent(id)}`} size="sm">
      {partner.data?.name ?? t.record.partner}
    </Anchor>
  );
}
