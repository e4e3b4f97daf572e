/** The frame of the console, and where its people go when their session ends. */

import { Group } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { sessionQuery } from "../api/session.ts";
import { PaletteButton } from "../palette/palette-button.tsx";
import { t } from "../text/index.ts";
import { Frame } from "../ui/frame.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { MainMenu } from "./main-menu.tsx";
import { whenSignedOut } from "./query-client.ts";

export default function Shell() {
  useSignedOut();
  const account = (
    <Group gap="md" wrap="nowrap">
      <PaletteButton />
      <AccountMenu />
    </Group>
  );
  return <Frame menu={<MainMenu />} menuLabel={t.shell.mainMenu} account={account} />;
}

/** Leads to the sign-in, and back here after it, when the session ends in the middle of the work. */
function useSignedOut(): void {
  const navigate = useNavigate();
  const queries = useQueryClient();
  useEffect(
    () =>
      whenSignedOut(() => {
        queries.setQueryData(sessionQuery.queryKey, null);
        const to = location.pathname + location.search;
        void navigate({ to: "/sign-in", search: { to, ended: true } });
      }),
    [navigate, queries],
  );
}
