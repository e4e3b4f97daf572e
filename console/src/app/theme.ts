/** How the pages look. Colours are chosen so that text has at least 4.5:1 on what it stands on. */

import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from "@mantine/core";
import { t } from "../text/index.ts";

const harbour: MantineColorsTuple = [
  "#e6f7f6",
  "#d3ebe9",
  "#a8d6d2",
  "#79c0bb",
  "#53aea7",
  "#3aa29b",
  "#2a9c95",
  "#1a8882",
  "#0b6e6e",
  "#005a5a",
];

const CLOSE = { "aria-label": t.common.close };

export const theme = createTheme({
  primaryColor: "harbour",
  colors: { harbour },
  primaryShade: 8,
  autoContrast: true,
  luminanceThreshold: 0.32,
  defaultRadius: "md",
  cursorType: "pointer",
  fontFamily:
    "ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'Noto Sans', sans-serif",
  headings: {
    fontWeight: "650",
    sizes: { h1: { fontSize: "1.5rem" }, h2: { fontSize: "1.125rem" } },
  },
  respectReducedMotion: true,
  components: {
    // A title in the colour of its alert is too pale for 4.5:1.
    Alert: { styles: { title: { color: "var(--mantine-color-text)" } } },
    // What would take the first focus is no item of the menu: the first item takes it.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Notification: {
      defaultProps: { closeButtonProps: CLOSE },
      styles: { description: { color: "var(--mantine-color-text)" } },
    },
    Table: { defaultProps: { verticalSpacing: "xs" } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
    Drawer: { defaultProps: { closeButtonProps: CLOSE } },
    Modal: { defaultProps: { centered: true, closeButtonProps: CLOSE } },
    // Its element would be a second banner of the page.
    ModalHeader: { defaultProps: { role: "presentation" } },
    DrawerHeader: { defaultProps: { role: "presentation" } },
    Anchor: { defaultProps: { underline: "hover" } },
  },
});

/**
 * Mantine's greys and reds for small text are too pale for 4.5:1, its outlines of form controls for 3:1. Controls that
 * are checked, and the focus, have `--control-fill`, others an outline of `--control-border` (app.css).
 */
export const contrast: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#4b5661",
    "--mantine-color-placeholder": "#626d78",
    "--mantine-color-error": "#c02020",
    "--mantine-color-body": "#fbfcfc",
    "--mantine-color-anchor": "#0a6262",
    "--control-border": "#747e87",
    "--control-fill": "#0b6e6e",
  },
  dark: {
    "--mantine-color-dimmed": "#b0b8bf",
    "--mantine-color-placeholder": "#98a1a9",
    "--mantine-color-error": "#ff9b9b",
    "--mantine-color-anchor": "#79c0bb",
    "--control-border": "#8b949c",
    "--control-fill": "#2a9c95",
  },
});
