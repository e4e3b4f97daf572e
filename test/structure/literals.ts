/** Finds array and object literals whose only purpose is to write several statements or members as one. */

import { parseSync, Visitor, type ArrayExpression, type Node } from "oxc-parser";
import type { Source } from "../../tools/sources.ts";

const isLiteral = ({ type }: Node): boolean =>
  type === "ArrayExpression" || type === "ObjectExpression";

/** Whether an array literal writes all its elements: it contains no spread. */
const isComplete = (node: Node): node is ArrayExpression =>
  node.type === "ArrayExpression" && node.elements.every((one) => one?.type !== "SpreadElement");

const isText = (node: Node | null): boolean =>
  node?.type === "Literal" && typeof node.value === "string";

/** Matches every text that can contain a packed literal. Parsing all other files would take seconds. */
const CANDIDATE = /\.\.\.\s*[[{]|\]\s*(?::[^=;]*)?=\s*\[|\]\s*\.(?:join|concat)\(/;

/**
 * Returns the places of a file that
 * - spread a literal. Write its members directly. `...[...a].map(f)` is allowed.
 * - join an array of strings with spaces, or append one array literal to another. Write one literal.
 * - assign an array literal to a list of names. Write a statement for each. `[a, b] = [b, a]` is
 *   allowed, because it swaps two values.
 */
export function packedLiterals({ path, text }: Pick<Source, "path" | "text">): readonly string[] {
  if (!CANDIDATE.test(text)) return [];
  const found: Node[] = [];
  const nameOf = ({ start, end }: Node): string => text.slice(start, end);
  const assign = (node: Node, to: Node, value: Node | null): void => {
    if (to.type !== "ArrayPattern" || value === null || !isComplete(value)) return;
    if (to.elements.length !== value.elements.length) return;
    const assigned = to.elements.map((one) => (one === null ? "" : nameOf(one)));
    const isSwap = value.elements.some((one) => one !== null && assigned.includes(nameOf(one)));
    if (!isSwap) found.push(node);
  };
  new Visitor({
    SpreadElement: (node) => void (isLiteral(node.argument) && found.push(node)),
    JSXSpreadAttribute: (node) => void (isLiteral(node.argument) && found.push(node)),
    VariableDeclarator: (node) => assign(node, node.id, node.init),
    AssignmentExpression: (node) => assign(node, node.left, node.right),
    CallExpression: (node) => {
      const { callee } = node;
      const [argument] = node.arguments;
      if (callee.type !== "MemberExpression" || argument === undefined) return;
      if (!isComplete(callee.object)) return;
      const method = nameOf(callee.property);
      const isJoin =
        method === "join" && nameOf(argument) === '" "' && callee.object.elements.every(isText);
      if (isJoin || (method === "concat" && isComplete(argument))) found.push(node);
    },
  }).visit(parseSync(path, text).program);
  return found.map(nameOf);
}
