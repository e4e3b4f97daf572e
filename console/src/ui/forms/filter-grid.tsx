/** The filters of a list: in columns of the same width, two on a phone. */

import { Box } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./filter-grid.module.css";

export interface FilterGridProps {
  /** Accessible name. */
  readonly label: string;
  readonly children: ReactNode;
}

export const FilterGrid = ({ label, children }: FilterGridProps) => (
  <Box role="search" aria-label={label} mb="md" className={classes["filters"] ?? ""}>
    {children}
  </Box>
);
