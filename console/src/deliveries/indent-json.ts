/** Indents JSON without parsing it, so that each value stays exactly as it was written. */

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const INDENT = "  ";

/** Returns the same JSON, indented; undefined if the text is not a JSON object or array. */
export function indentJson(text: string): string | undefined {
  if (!isJson(text)) return undefined;
  const tokens = text.match(TOKEN) ?? [];
  let depth = 0;
  let lines = "";
  const line = () => `\n${INDENT.repeat(depth)}`;
  for (const [at, token] of tokens.entries()) {
    if (token === "{" || token === "[") {
      const isEmpty = tokens[at + 1] === "}" || tokens[at + 1] === "]";
      depth += 1;
      lines += isEmpty ? token : token + line();
    } else if (token === "}" || token === "]") {
      const isEmpty = tokens[at - 1] === "{" || tokens[at - 1] === "[";
      depth -= 1;
      lines += isEmpty ? token : line() + token;
    } else if (token === ",") lines += token + line();
    else if (token === ":") lines += ": ";
    else lines += token;
  }
  return lines;
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
