/** The logo with the name. */

import { Group, Text } from "@mantine/core";
import { use } from "react";
import { SiteName } from "./site-name.ts";

export const Logo = () => (
  <Group gap={10} wrap="nowrap" miw={0}>
    <img src="/favicon.svg" alt="" width={28} height={28} />
    <Text fw={700} fz="lg" lh={1.3} truncate>
      {use(SiteName)}
    </Text>
  </Group>
);
