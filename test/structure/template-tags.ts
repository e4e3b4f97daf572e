/** Finds tagged templates that are neither fragments of SQL nor statements passed to `run`. */

import { parseSync, Visitor } from "oxc-parser";
import type { Source } from "../../tools/sources.ts";

interface Range {
  readonly start: number;
  readonly end: number;
}

const contains = (outer: Range, inner: Range): boolean =>
  outer.start <= inner.start && inner.end <= outer.end;

/**
 * Returns the tags of a file's templates, such as `deps.db`, except for `run(…)`, `String.raw`, and `sql` where it is the tag of
 * sql-template-tag. A connection that is called `sql` hides that tag inside its function.
 */
export function foreignTags({ path, text }: Pick<Source, "path" | "text">): readonly string[] {
  const functions: Range[] = [];
  const bindings: Range[] = [];
  const tags: (Range & { readonly isRun: boolean })[] = [];
  let imports = false;
  const note = ({ start, end }: Range) => void functions.push({ start, end });
  const bind = (node: { readonly type: string; readonly start: number; readonly end: number }) => {
    const isSql = node.type === "Identifier" && text.slice(node.start, node.end) === "sql";
    if (isSql) bindings.push(node);
  };
  const ofFunction = (node: Range & { readonly params: readonly Parameters<typeof bind>[0][] }) => {
    note(node);
    // A parameter with a type includes the type in its range.
    for (const one of node.params) bind({ ...one, end: one.start + "sql".length });
  };
  new Visitor({
    ImportDeclaration: ({ source, specifiers }) => {
      const isDefault = specifiers.some(({ type }) => type === "ImportDefaultSpecifier");
      imports ||= source.value === "sql-template-tag" && isDefault;
    },
    FunctionDeclaration: ofFunction,
    FunctionExpression: ofFunction,
    ArrowFunctionExpression: ofFunction,
    VariableDeclarator: ({ id }) => bind({ ...id, end: id.start + "sql".length }),
    ObjectPattern: ({ properties }) => {
      for (const one of properties) if (one.type === "Property") bind(one.value);
    },
    TaggedTemplateExpression: ({ tag }) => {
      if (text.slice(tag.start, tag.end) === "String.raw") return;
      const isRun =
        tag.type === "CallExpression" &&
        tag.callee.type === "Identifier" &&
        tag.callee.name === "run";
      tags.push({ start: tag.start, end: tag.end, isRun });
    },
  }).visit(parseSync(path, text).program);
  const smallestAround = (inner: Range): Range | undefined =>
    functions
      .filter((one) => contains(one, inner))
      .toSorted((a, b) => a.end - a.start - (b.end - b.start))[0];
  const hidden = bindings.map((one) => smallestAround(one) ?? { start: 0, end: text.length });
  const isFragment = (tag: Range): boolean =>
    text.slice(tag.start, tag.end) === "sql" &&
    imports &&
    !hidden.some((range) => contains(range, tag));
  return tags
    .filter((tag) => !tag.isRun && !isFragment(tag))
    .map(({ start, end }) => text.slice(start, end));
}
