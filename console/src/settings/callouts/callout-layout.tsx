/** A form, and beside it, or below it where it is narrow, what comes of it. */

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
