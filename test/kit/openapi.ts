/** OpenAPI documents as the tests use them. */

// oxlint-disable-next-line typescript/no-explicit-any -- a document of any depth
export type Document = any;

/**
 * Returns a copy of a document in which references to parameters, responses and headers are resolved. References to
 * schemas remain.
 */
export function expanded(document: Document): Document {
  const follow = (value: Document): Document => {
    if (Array.isArray(value)) return value.map(follow);
    if (typeof value !== "object" || value === null) return value;
    const [, kind = "", name = ""] =
      /^#\/components\/(parameters|responses|headers)\/(\w+)$/.exec(value.$ref ?? "") ?? [];
    if (kind !== "") return follow(document.components[kind][name]);
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, follow(one)]));
  };
  return { ...document, paths: follow(document.paths), webhooks: follow(document.webhooks) };
}
