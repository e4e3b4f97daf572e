/** A grid for a list's filters, with columns of equal width. On a phone, there are two columns. */

import { Box } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./filter-grid.module.css";

export interface FilterGridProps {
  /** The accessible name. */
  readonly label: string;
  readonly children: ReactNode;
}

export const FilterGrid = ({ label, children }: FilterGridProps) => (
  <Box role="search" aria-label={label} mb="md" className={classes["filters"] ?? ""}>
    {children}
  </Box>
);
