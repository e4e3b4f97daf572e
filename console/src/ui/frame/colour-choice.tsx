/** Light, dark, or as the system has it. */

import { SegmentedControl, useMantineColorScheme } from "@mantine/core";
import { t } from "../../text/index.ts";

export function ColourChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      fullWidth
      size="xs"
      aria-label={t.shell.colours}
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
