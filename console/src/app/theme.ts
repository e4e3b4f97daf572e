/** The theme. Colors are chosen so that text has a contrast of at least 4.5:1. */

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
    // The alert's own color is too pale for a title: its contrast is below 4.5:1. Messages may quote long words, which
    // must wrap.
    Alert: {
      styles: {
        title: { color: "var(--mantine-color-text)" },
        message: { overflowWrap: "anywhere" },
      },
    },
    // Without this, opening a menu focuses a placeholder instead of the first item.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Notification: {
      defaultProps: { closeButtonProps: CLOSE },
      styles: { description: { color: "var(--mantine-color-text)" } },
    },
    Table: { defaultProps: { verticalSpacing: "xs" } },
    // A visible scrollbar shows that there is more content. The tab index makes the content scrollable with the
    // keyboard.
    TableScrollContainer: {
      defaultProps: {
        scrollAreaProps: {
          type: "auto",
          offsetScrollbars: "present",
          viewportProps: { tabIndex: 0 },
        },
      },
    },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
    Drawer: { defaultProps: { closeButtonProps: CLOSE } },
    Modal: { defaultProps: { centered: true, closeButtonProps: CLOSE } },
    // By default, this would be a second banner landmark on the page.
    ModalHeader: { defaultProps: { role: "presentation" } },
    DrawerHeader: { defaultProps: { role: "presentation" } },
    Anchor: { defaultProps: { underline: "hover" } },
  },
});

/**
 * Mantine's grays and reds are too pale for small text (below 4.5:1), and its control outlines are
 * too pale as well (below 3:1). Checked controls and the focus ring use `--control-fill`; outlines
 * of other controls use `--control-border` (app.css).
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
