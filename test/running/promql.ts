/** Reads which metrics and labels a PromQL expression uses. An unknown word is an error. */

export interface Used {
  readonly metric: string;
  /** Labels in the selector of the metric. */
  readonly labels: readonly string[];
}

export interface Expression {
  readonly metrics: readonly Used[];
  /** Labels that the result is grouped by. */
  readonly grouped: readonly string[];
}

const FUNCTIONS = new Set([
  ...["sum", "max", "min", "count", "topk", "rate", "increase", "histogram_quantile"],
  ...["min_over_time", "predict_linear", "time", "label_values"],
]);

const TOKEN =
  /\s+|"(?:[^"\\]|\\.)*"|\[[\dsmhdwy:]+\]|\d+(?:\.\d+)?|[a-zA-Z_:][\w:]*|=~|!~|!=|==|>=|<=|[-+*/%^<>=(){},]/gy;

export function readPromql(text: string): Expression {
  const tokens = [...text.matchAll(TOKEN)].map(([token]) => token);
  if (tokens.join("") !== text) throw new Error(`Cannot be read: ${text}`);
  const words = tokens.filter((token) => token.trim() !== "");
  const metrics: Used[] = [];
  const grouped: string[] = [];
  /** The words up to a closing bracket. */
  const inside = (from: number, end: string): readonly string[] =>
    words.slice(from, words.indexOf(end, from));
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (!/^[a-zA-Z_:]/.test(word)) continue;
    if (word === "by" || word === "without") {
      const labels = inside(at + 2, ")");
      grouped.push(...labels.filter((label) => label !== ","));
      at += labels.length + 2;
    } else if (words[at + 1] === "(" || ["sum", "max", "min", "count"].includes(word)) {
      if (!FUNCTIONS.has(word)) throw new Error(`Unknown function ${word} in ${text}`);
    } else {
      const selector = words[at + 1] === "{" ? inside(at + 2, "}") : [];
      const labels = selector.filter((_, index) => /^[=!]/.test(selector[index + 1] ?? ""));
      metrics.push({ metric: word, labels });
      at += selector.length === 0 ? 0 : selector.length + 2;
    }
  }
  return { metrics, grouped };
}
