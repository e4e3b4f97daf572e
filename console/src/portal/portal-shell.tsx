/**
 * The portal's frame: the business's name, a warning before the session ends, and a redirect to the
 * sign-in page when it ends.
 */

import { Alert } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { whenSignedOut } from "../routing/index.ts";
import { portalTexts } from "../text/portal.ts";
import { dateTime } from "../ui/format/index.ts";
import { Frame, SiteName } from "../ui/frame/index.ts";
import { usePartner } from "./partner/index.ts";
import { PortalAccount } from "./portal-account.tsx";
import { PortalMenu } from "./portal-menu.tsx";
import { useRenewal } from "./use-renewal.ts";
import { TextLink } from "../ui/states/index.ts";
import { RunBanner } from "./file/index.ts";

export default function PortalShell() {
  const endsAt = useRenewal();
  const { partner_id, tenant_name: business } = usePartner();
  useSignedOut(business);
  const notices = (
    <>
      {endsAt !== undefined && (
        <Alert color="yellow" mb="md" role="status">
          {portalTexts.endsAt(dateTime(endsAt))}{" "}
          <TextLink to="/partner/sign-in" c="inherit" inherit underline="always">
            {portalTexts.signInAgain}
          </TextLink>
        </Alert>
      )}
      <RunBanner />
    </>
  );
  return (
    <SiteName value={business}>
      <Frame
        // Forms must not keep the input of another partner, who was signed in before.
        key={partner_id}
        menu={<PortalMenu />}
        menuLabel={portalTexts.menu.label}
        account={<PortalAccount />}
        notices={notices}
      />
    </SiteName>
  );
}

/** Redirects to the partner sign-in when the session ends, and returns to this page afterward. */
function useSignedOut(business: string): void {
  const navigate = useNavigate();
  const queries = useQueryClient();
  useEffect(
    () =>
      whenSignedOut(() => {
        const to = location.pathname + location.search;
        const search = { to, ended: true } as const;
        void navigate({ to: "/partner/sign-in", search, state: { business } }).then(() =>
          queries.clear(),
        );
      }),
    [navigate, queries, business],
  );
}
