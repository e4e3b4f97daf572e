/** 405 with `Allow` for the methods that a path does not take. */

import { METHODS as HTTP_METHODS } from "node:http";
import type { FastifyInstance } from "fastify";
import { AppError } from "../errors/index.ts";

/** Every method that Node reads; CONNECT never becomes a request. */
export const METHODS = HTTP_METHODS.filter((method) => method !== "CONNECT");

export interface PathConfig {
  /** The path is left, for the methods that it does not take, to the one with a parameter. */
  readonly isIdToOthers?: boolean;
  /** The route refuses the methods that its path does not take, and belongs to no operation. */
  readonly refusesMethods?: boolean;
}

/** Adds 405 responses. Call it before the first route, and what it returns after the last. */
export function refuseOtherMethods(app: FastifyInstance): () => void {
  const methodsOf = new Map<string, Set<string>>();
  /** Of paths that other methods take for an id. */
  const ownMethodsOf = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ method, url, config }) => {
    const isIdToOthers = (config as PathConfig | undefined)?.isIdToOthers === true;
    const methods = isIdToOthers ? ownMethodsOf : methodsOf;
    const known = methods.get(url) ?? new Set<string>();
    for (const name of [method].flat()) known.add(name);
    methods.set(url, known);
  });
  const config: PathConfig = { refusesMethods: true };
  return () => {
    for (const [url, methods] of [...methodsOf]) {
      // A copy: the route that refuses the others is added to them.
      const known = [...methods];
      const others = METHODS.filter((method) => !methods.has(method));
      app.route({
        method: others,
        url,
        config,
        schema: { hide: true },
        onRequest: async (request) => {
          if (Object.values(request.params as object).includes("")) throw new AppError("not_found");
          const own = ownMethodsOf.get(request.url.replace(/\?.*$/s, "")) ?? [];
          const allow = [...new Set([...known, ...own])].toSorted().join(", ");
          throw new AppError("method_not_allowed", { headers: { allow } });
        },
        handler: async () => undefined,
      });
    }
  };
}
