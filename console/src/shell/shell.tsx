/** The console's frame, and the redirect to the sign-in page when the session ends. */

import { Group } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { lazy, useEffect } from "react";
import { useSession } from "../api/index.ts";
import { t } from "../text/index.ts";
import { Frame } from "../ui/frame/index.ts";
import { AccountMenu, MainMenu } from "../menu/index.ts";
import { whenSignedOut } from "../routing/index.ts";
import { PaletteButton } from "../palette/index.ts";
import { NestedForm } from "../records/form/index.ts";

const CreateForm = lazy(async () => {
  const { CreateForm: component } = await import("../records/form/create-form.tsx");
  return { default: component };
});

export default function Shell() {
  useSignedOut();
  const { person } = useSession();
  const account = (
    <Group gap="md" wrap="nowrap">
      <PaletteButton />
      <AccountMenu />
    </Group>
  );
  return (
    // Forms must not keep the input of another user, who was signed in before.
    <NestedForm key={person.id} value={CreateForm}>
      <Frame menu={<MainMenu />} menuLabel={t.shell.mainMenu} account={account} />
    </NestedForm>
  );
}

/**
 * Redirects to the sign-in page when the session ends, and returns to this page afterward. A form with unsaved input can
 * block the redirect, so the session's data is removed only when the console is left.
 */
function useSignedOut(): void {
  const navigate = useNavigate();
  const queries = useQueryClient();
  useEffect(() => {
    let hasEnded = false;
    const unregister = whenSignedOut(() => {
      hasEnded = true;
      const to = location.pathname + location.search;
      void navigate({ to: "/sign-in", search: { to, ended: true } });
    });
    return () => {
      unregister();
      if (hasEnded) queries.clear();
    };
  }, [navigate, queries]);
}
