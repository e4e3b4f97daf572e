/** Determines which metrics and labels a PromQL expression uses, with Prometheus's own grammar. */

import { parser } from "@prometheus-io/lezer-promql";

export interface Used {
  readonly metric: string;
  /** Labels in the metric's selector. */
  readonly labels: readonly string[];
}

export interface Expression {
  readonly metrics: readonly Used[];
  /** Labels by which the result is grouped. */
  readonly grouped: readonly string[];
}

/** Parses an expression. Throws if it is not valid PromQL, for example if a function is unknown. */
export function readPromql(text: string): Expression {
  const metrics: { metric: string; labels: string[] }[] = [];
  const grouped: string[] = [];
  parser.parse(text).iterate({
    enter: ({ type, from, to, node }) => {
      const shown = text.slice(from, to);
      if (type.isError) throw new Error(`No PromQL at ${from}: ${text}`);
      if (type.name === "Identifier") metrics.push({ metric: shown, labels: [] });
      if (type.name !== "LabelName") return;
      if (node.parent?.name === "GroupingLabels") grouped.push(shown);
      else metrics.at(-1)?.labels.push(shown);
    },
  });
  return { metrics, grouped };
}
