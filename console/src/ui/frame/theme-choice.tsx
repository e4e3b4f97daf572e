/** A control for the theme: light, dark or system. */

import { SegmentedControl, useMantineColorScheme } from "@mantine/core";
import { t } from "../../text/index.ts";

export function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      fullWidth
      size="xs"
      aria-label={t.shell.theme}
      value={colorScheme}
      onChange={(value) => setColorScheme(value)}
      data={[
        { value: "auto", label: t.shell.system },
        { value: "light", label: t.shell.light },
        { value: "dark", label: t.shell.dark },
      ]}
    />
  );
}
