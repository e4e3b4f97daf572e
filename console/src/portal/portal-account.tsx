/** The signed-in partner's menu, with sign-out. */

import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ask, useSending } from "../api/index.ts";
import { portalTexts } from "../text/portal.ts";
import { UserMenu } from "../ui/frame/index.ts";
import { usePartner } from "./partner/index.ts";
import { forgetRun } from "./file/index.ts";

export function PortalAccount() {
  const { name, partner_id, tenant_name: business } = usePartner();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const signingOut = useSending<undefined, unknown>(
    async () => ask("post", "/auth/partner/sign_out", { idempotencyKey: false }),
    async () => {
      forgetRun();
      await navigate({ to: "/partner/sign-in", state: { business } });
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
  return (
    <UserMenu
      name={name}
      where={portalTexts.title}
      label={label}
      docs="/docs/partner"
      signingOut={signingOut}
    />
  );
}
