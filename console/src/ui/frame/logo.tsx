/** The mark and the name. */

import { Group, Text } from "@mantine/core";
import { t } from "../../text/index.ts";

export const Logo = () => (
  <Group gap={10} wrap="nowrap">
    <img src="/favicon.svg" alt="" width={28} height={28} />
    <Text fw={700} fz="lg" lh={1}>
      {t.shell.product}
    </Text>
  </Group>
);
