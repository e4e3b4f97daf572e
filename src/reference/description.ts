/** The parts of openapi.json that concern the API as a whole. Operations describe themselves. */

import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import type { Module } from "../platform/modules/index.ts";
import {
  described,
  objectSchema,
  type Schemas,
  string,
  printed,
} from "../platform/schemas/index.ts";
import type { RecordTypes } from "../records/types/index.ts";

/** What a module contributes to the description, apart from its operations. */
export interface DescribedModule extends Pick<
  Module,
  "name" | "schemasAfter" | "tags" | "samples"
> {
  readonly schemas?: (types: RecordTypes) => Schemas;
}

const INTERFACE_VERSION = "0.1.0";

const ERROR_SCHEMAS: Schemas = {
  ErrorDetail: {
    type: "object",
    required: ["detail"],
    additionalProperties: true,
    properties: { detail: string("A description of the problem.") },
  },
  ValidationError: objectSchema(
    {
      type: string("The type of the problem."),
      loc: described(
        { type: "array", items: { type: ["string", "integer"] } },
        "Where the problem is, starting with `path`, `query`, `header` or `body`.",
      ),
      msg: string("A description of the problem."),
      input: { description: "The rejected value, truncated to 1 KiB, with secrets masked." },
      ctx: described(
        { type: "object", additionalProperties: true },
        "Details of the problem, such as the limit that was exceeded.",
      ),
    },
    ["type", "loc", "msg", "input"],
  ),
  HTTPValidationError: objectSchema({
    detail: described(
      { type: "array", items: { $ref: "ValidationError#" } },
      "All problems with the request, at most 100.",
    ),
  }),
};

const inHeader = (description: string) => ({
  ...({ type: "apiKey", in: "header", name: "Authorization" } as const),
  description,
});
const inCookie = (name: string, description: string) => ({
  ...({ type: "apiKey", in: "cookie" } as const),
  name,
  description,
});

/** Returns the modules in the order in which their schemas are listed. */
function inOrderOfSchemas(
  modules: readonly DescribedModule[],
  after?: string,
): readonly DescribedModule[] {
  const next = modules.filter(({ schemasAfter }) => schemasAfter === after);
  return next.flatMap((module) => [module, ...inOrderOfSchemas(modules, module.name)]);
}

/** Registers the plugin that collects the descriptions of operations and the schemas of the modules. */
export async function addDescription(
  app: FastifyInstance,
  types: RecordTypes,
  modules: readonly DescribedModule[],
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Leadport",
        version: INTERFACE_VERSION,
        license: { name: "MIT", identifier: "MIT" },
        contact: { name: "The operator of this installation" },
        description:
          "CRM records and partner lead exchange. The [guides](/docs/guides) explain how to use it; partners " +
          "find their operations in the [partner API](/docs/partner). Send `Prefer: timing` to get a " +
          "`Server-Timing` breakdown.",
      },
      components: {
        securitySchemes: {
          APIKeyHeader: inHeader("`Bearer ` followed by an access token."),
          SessionCookie: inCookie(
            "leadport",
            "The session of a signed-in user; `__Host-leadport` over https. Without an Authorization header it " +
              "works like an access token with the permissions of the user's role. Writes must come from a page " +
              "on this origin. If `X-Person-Id` contains the id of another user, the request fails with 401.",
          ),
          PartnerToken: inHeader("`Partner ` followed by a partner token."),
          PartnerCookie: inCookie(
            "leadport_partner",
            "The partner token of the portal; `__Host-leadport_partner` over https. Without an Authorization " +
              "header it works like a partner token. Writes must come from a page on this origin.",
          ),
        },
      },
    },
    refResolver: { buildLocalReference: ({ $id }) => String($id) },
  });
  const schemas = [
    ERROR_SCHEMAS,
    ...inOrderOfSchemas(modules).map((module) => module.schemas?.(types) ?? {}),
  ];
  for (const [name, schema] of schemas.flatMap((some) => Object.entries(some))) {
    app.addSchema({ ...(printed(schema) as object), $id: name });
  }
}
