/** A figure and its label. */

import { Card, Text } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./stat.module.css";

export interface StatProps {
  readonly label: string;
  readonly value: ReactNode;
  readonly hint?: ReactNode;
}

/** Must be inside a `<dl>`. */
export const Stat = ({ label, value, hint }: StatProps) => (
  <Card withBorder padding="md" className={classes["stat"] ?? ""}>
    <Text component="dt" size="sm" c="dimmed">
      {label}
    </Text>
    <Text component="dd" fw={650} lh={1.2} className={classes["value"] ?? ""}>
      {value}
      {hint !== undefined && (
        <Text span display="block" size="xs" c="dimmed" fw={400} mt={4}>
          {hint}
        </Text>
      )}
    </Text>
  </Card>
);

export const Stats = ({
  children,
  label,
}: {
  readonly children: ReactNode;
  readonly label: string;
}) => (
  <dl className={classes["stats"]} aria-label={label}>
    {children}
  </dl>
);
