/** A list of labels with their values next to them. */

import type { ReactNode } from "react";
import { t } from "../../text/index.ts";
import classes from "./facts.module.css";

export const Facts = ({ children }: { readonly children: ReactNode }) => (
  <dl className={classes["facts"]}>{children}</dl>
);

export interface FactProps {
  readonly label: string;
  readonly children: ReactNode;
}

export const Fact = ({ label, children }: FactProps) => (
  <>
    <dt>{label}</dt>
    <dd>{children === false || children === null ? t.common.none : children}</dd>
  </>
);
