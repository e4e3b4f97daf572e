/** The frame of the portal, when its session ends, and where partners go then. */

import { Alert } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { whenSignedOut } from "../routing/index.ts";
import { portalTexts } from "../text/portal.ts";
import { dateTime } from "../ui/format/index.ts";
import { Frame } from "../ui/frame/index.ts";
import { PortalAccount } from "./portal-account.tsx";
import { PortalMenu } from "./portal-menu.tsx";
import { useRenewal } from "./use-renewal.ts";
import { TextLink } from "../ui/states/index.ts";
import { RunBanner } from "./file/index.ts";

export default function PortalShell() {
  const endsAt = useRenewal();
  useSignedOut();
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
    <Frame
      menu={<PortalMenu />}
      menuLabel={portalTexts.menu.label}
      account={<PortalAccount />}
      notices={notices}
    />
  );
}

/** Leads to the partners' sign-in, and back here after it, when the session ends in the middle of the work. */
function useSignedOut(): void {
  const navigate = useNavigate();
  const queries = useQueryClient();
  useEffect(
    () =>
      whenSignedOut(() => {
        const to = location.pathname + location.search;
        void navigate({ to: "/partner/sign-in", search: { to, ended: true } }).then(() =>
          queries.clear(),
        );
      }),
    [navigate, queries],
  );
}
