/** JSON in lines, each value exactly as it was written: nothing is parsed and printed again. */

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const INDENT = "  ";

/** The same JSON in lines; undefined if the text is no object or array of JSON. */
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
