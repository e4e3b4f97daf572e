/** Opens the command palette, by a button or Ctrl+K; it is loaded when it is first wanted. */

import { ActionIcon, Button, Kbd } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { t } from "../text/index.ts";

const load = () => import("./palette.tsx");
const Palette = lazy(load);

const KEY = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘ K" : "Ctrl K";

/** What is in a dialog would be lost behind the palette. */
const hasDialog = (): boolean =>
  document.querySelector('[role="dialog"][aria-modal="true"]') !== null;

export function PaletteButton() {
  const [asked, setAsked] = useState(0);
  const open = () => setAsked((times) => times + 1);
  useHotkeys([["mod+K", () => !hasDialog() && open()]], [], true);
  const shared = {
    variant: "default",
    onClick: open,
    onPointerEnter: () => void load(),
    "aria-haspopup": "dialog",
    "aria-keyshortcuts": "Control+K Meta+K",
  } as const;
  return (
    <>
      <Button
        {...shared}
        visibleFrom="sm"
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={
          <Kbd size="xs" aria-hidden>
            {KEY}
          </Kbd>
        }
      >
        {t.palette.open}
      </Button>
      <ActionIcon {...shared} hiddenFrom="sm" size={34} aria-label={t.palette.open}>
        <IconSearch size={18} aria-hidden />
      </ActionIcon>
      {asked > 0 && (
        <Suspense fallback={null}>
          <Palette asked={asked} />
        </Suspense>
      )}
    </>
  );
}
