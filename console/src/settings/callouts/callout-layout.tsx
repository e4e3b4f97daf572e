/** A form with its preview next to it, or below it on narrow screens. */

import { Grid } from "@mantine/core";
import type { ReactNode } from "react";

export interface CalloutLayoutProps {
  readonly form: ReactNode;
  readonly beside: ReactNode;
}

export const CalloutLayout = ({ form, beside }: CalloutLayoutProps) => (
  <Grid gap="md">
    <Grid.Col span={{ base: 12, lg: 7 }}>{form}</Grid.Col>
    <Grid.Col span={{ base: 12, lg: 5 }}>{beside}</Grid.Col>
  </Grid>
);
