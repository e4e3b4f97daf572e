/** Marks optional bodies as optional, because @fastify/swagger marks every body as required. */

import { OPTIONAL_BODY } from "../platform/operations/index.ts";
import type { DescribedOperation, Document } from "./examples/index.ts";

function marked(operation: DescribedOperation): DescribedOperation {
  const { [OPTIONAL_BODY]: isOptional, requestBody, ...rest } = operation as Marked;
  if (requestBody === undefined) return rest;
  const { required: _, ...body } = requestBody;
  return { ...rest, requestBody: { required: isOptional !== true, ...body } };
}

export function withOptionalBodies(document: Document): Document {
  const paths = Object.entries(document.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, one]) => [method, marked(one)])),
  ]);
  return { ...document, paths: Object.fromEntries(paths) };
}

interface Marked extends DescribedOperation {
  readonly [OPTIONAL_BODY]?: true;
}
