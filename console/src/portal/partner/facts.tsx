/** A list of labels and values. */

import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./facts.module.css";

export interface Fact {
  readonly label: string;
  readonly value: ReactNode;
}

export const Facts = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl className={classes["facts"]}>
    {facts.map(({ label, value }) => (
      <div key={label} className={classes["fact"]}>
        <Text component="dt" size="sm" c="dimmed">
          {label}
        </Text>
        <Text component="dd" size="sm" className={classes["value"] ?? ""}>
          {value}
        </Text>
      </div>
    ))}
  </dl>
);
