/** The partner that is signed in, and its way out. */

import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ask } from "../api/client.ts";
import { portalTexts } from "../text/portal.ts";
import { useSending } from "../ui/use-sending.ts";
import { WhoMenu } from "../ui/who-menu.tsx";
import { forgetRun } from "./file/current-run.ts";
import { usePartner } from "./partner.ts";

export function PortalAccount() {
  const { name, partner_id } = usePartner();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const signingOut = useSending<undefined, unknown>(
    async () => ask("post", "/auth/partner/sign_out", { idempotencyKey: false }),
    async () => {
      forgetRun();
      await navigate({ to: "/partner/sign-in" });
      queries.clear();
    },
  );
  const label = (
    <>
      {name}
      <br />
      {partner_id}
    </>
  );
  return <WhoMenu name={name} where={portalTexts.title} label={label} signingOut={signingOut} />;
}
