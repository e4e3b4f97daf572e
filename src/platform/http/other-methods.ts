/** Responds with 405 and `Allow` to methods that a path does not support. */

import { METHODS as HTTP_METHODS } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import findMyWay, { type HTTPMethod, type HTTPVersion, type Instance } from "find-my-way";
import { AppError } from "../errors/index.ts";

/** All methods that Node parses, except CONNECT, which never becomes a request. */
export const METHODS = HTTP_METHODS.filter((method) => method !== "CONNECT");

/** These options must match those of Fastify's router (createHttp). */
const ROUTER = { maxParamLength: Infinity };

export interface PathConfig {
  /** Whether methods that this path does not support treat its last segment as an id, as in `DELETE /leads/summary`. */
  readonly isIdToOthers?: boolean;
  /** Whether the route only responds with 405 and belongs to no operation. */
  readonly refusesMethods?: boolean;
}

type Methods = ReadonlySet<string>;

/** Adds 405 responses. Call this before adding the first route, and the returned function after adding the last. */
export function refuseOtherMethods(app: FastifyInstance): () => void {
  const methodsOf = new Map<string, Set<string>>();
  /** The methods that each path with `isIdToOthers` supports. */
  const ownMethodsOf = new Map<string, Set<string>>();
  const paths = findMyWay(ROUTER);
  app.addHook("onRoute", ({ method, url, config }) => {
    const { isIdToOthers, refusesMethods } = (config ?? {}) as PathConfig;
    if (refusesMethods === true) return;
    const methods = isIdToOthers === true ? ownMethodsOf : methodsOf;
    const known = methods.get(url) ?? new Set<string>();
    for (const name of [method].flat()) known.add(name);
    methods.set(url, known);
  });
  const notAllowed = (request: FastifyRequest): AppError | undefined => {
    const path = request.url.replace(/\?.*$/s, "");
    const found = paths.find("GET", path);
    if (found === null || Object.values(found.params).includes("")) return undefined;
    const { methods } = found.store as { readonly methods: Methods };
    const allow = [...new Set([...methods, ...(ownMethodsOf.get(path) ?? [])])].toSorted();
    return new AppError("method_not_allowed", { headers: { allow: allow.join(", ") } });
  };
  return () => {
    const routes = findMyWay(ROUTER);
    for (const [url, methods] of methodsOf) {
      paths.on("GET", url, noop, { methods });
      routes.on([...methods] as HTTPMethod[], url, noop);
    }
    for (const [method, url] of shadowed(routes, methodsOf)) {
      app.route({
        method,
        url,
        exposeHeadRoute: false,
        config: { refusesMethods: true } satisfies PathConfig,
        schema: { hide: true },
        onRequest: async (request) => {
          throw notAllowed(request) ?? new AppError("not_found");
        },
        handler: async () => undefined,
      });
    }
    // This hook runs after all other onRequest hooks and before the body is read. GET and HEAD may request a console
    // page.
    app.addHook("onRequest", (request, _reply, done) => {
      if (!request.is404) done();
      else if (request.method === "GET" || request.method === "HEAD") done(notAllowed(request));
      else done(notAllowed(request) ?? new AppError("not_found"));
    });
  };
}

const noop = (): void => undefined;

/**
 * Returns methods that a path does not support but that another route would match. For example,
 * `DELETE /leads/export` matches `/leads/:id`.
 */
function shadowed(
  routes: Instance<HTTPVersion.V1>,
  methodsOf: ReadonlyMap<string, Methods>,
): readonly (readonly [method: HTTPMethod, url: string])[] {
  const used = new Set([...methodsOf.values()].flatMap((methods) => [...methods]));
  return [...methodsOf].flatMap(([url, methods]) =>
    [...used]
      .filter((method) => !methods.has(method))
      .map((method) => [method as HTTPMethod, url] as const)
      .filter(([method]) => routes.find(method, url.replaceAll(/:\w+|\*/g, "x")) !== null),
  );
}
