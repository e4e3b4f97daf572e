/** Parses and checks the path, query and body of a request. */

import type { FastifyRequest } from "fastify";
import { AppError, ValidationError, type Issue } from "../errors/index.ts";
import { isObject } from "../json/index.ts";
import type { BodyShape, Complete, Operation } from "./operation.ts";
import { readParameters, type Parameters } from "../validation/index.ts";
import { readBody, type ReadBody } from "./request-body.ts";

const NONE: Parameters = {};

/** Parses and checks a request. Throws 422 with all issues together, or 400 for a PATCH that changes nothing. */
export function readRequest<C>(
  operation: Operation<C>,
  request: FastifyRequest,
  caller: C,
  headerIssues: readonly Issue[],
) {
  const { path = NONE } = operation;
  const { query = NONE, body: shape } = operation.forCaller?.(caller) ?? operation;
  const parsed =
    shape === undefined ? undefined : readBody(request, operation.bodyOptional, shape.separate);
  if (parsed !== undefined && "value" in parsed && isObject(parsed.value)) {
    if (shape?.isEmpty?.(parsed.value) === true) throw new AppError("nothing_to_change");
  }
  const inPath = readParameters("path", path, request.params as Record<string, string>);
  const inQuery = readParameters("query", query, request.query as Record<string, string>);
  const inBody = parsed === undefined || shape === undefined ? [] : bodyIssues(parsed, shape);
  const body =
    parsed !== undefined && "value" in parsed && isObject(parsed.value) ? parsed.value : {};
  const forCaller = operation.bodyIssues?.(caller, body, inPath.values) ?? [];
  const issues = [...inPath.issues, ...inQuery.issues, ...headerIssues, ...inBody, ...forCaller];
  if (issues.length > 0) throw new ValidationError(sortedByPlace(issues));
  const elements = (parsed !== undefined && "value" in parsed && parsed.elements) || noElements;
  const pathValues = inPath.values as Complete<typeof inPath.values>;
  return { path: pathValues, query: inQuery.values, body, elements };
}

async function* noElements(): AsyncGenerator<never> {}

const bodyIssues = (read: ReadBody, shape: BodyShape): readonly Issue[] =>
  "issue" in read ? [read.issue] : shape.check(read.value);

/** The order in which issues are reported: path, query, headers, body. */
const PLACES: readonly unknown[] = ["path", "query", "header", "body"];
const sortedByPlace = (issues: readonly Issue[]): readonly Issue[] =>
  issues.toSorted((a, b) => PLACES.indexOf(a.loc[0]) - PLACES.indexOf(b.loc[0]));
