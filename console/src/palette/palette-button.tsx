/** A button that opens the command palette. Ctrl+K also opens it. The palette is loaded on first use. */

import { Box, Button, VisuallyHidden } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { lazy, Suspense, useLayoutEffect, useState } from "react";
import { t } from "../text/index.ts";
import css from "./palette-button.module.css";

const load = () => import("./palette.tsx");
const Palette = lazy(load);

const KEY = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘ K" : "Ctrl K";

/** Whether a dialog is open. The palette must not open over it and hide its content. */
const hasDialog = (): boolean =>
  document.querySelector('[role="dialog"][aria-modal="true"]') !== null;

export function PaletteButton() {
  const [asked, setAsked] = useState(0);
  const open = () => setAsked((times) => times + 1);
  // The listener is added before the button is shown, so that no key is lost.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
      if (key.toLowerCase() !== "k" || ctrlKey === metaKey || altKey || shiftKey) return;
      event.preventDefault();
      if (!hasDialog()) open();
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
  return (
    <>
      <Button
        variant="default"
        px={{ base: 8, sm: "sm" }}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={open}
        onPointerEnter={() => void load()}
      >
        <IconSearch size={18} aria-hidden />
        <VisuallyHidden hiddenFrom="sm">{t.shell.search}</VisuallyHidden>
        <Box component="span" visibleFrom="sm" mx="xs">
          {t.shell.search}
        </Box>
        <Box component="kbd" visibleFrom="sm" className={css["key"]} aria-hidden>
          {KEY}
        </Box>
      </Button>
      {asked > 0 && (
        <Suspense fallback={null}>
          <Palette asked={asked} />
        </Suspense>
      )}
    </>
  );
}
