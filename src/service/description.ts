/** What the service says of itself: openapi.json, and the page that shows it. */

import { createHash } from "node:crypto";
import swagger from "@fastify/swagger";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { CHANGE_SCHEMA } from "../audit/index.ts";
import { accessSchemas } from "../access/index.ts";
import { deliverySchemas } from "../delivery/index.ts";
import { demoSchemas } from "../demo/index.ts";
import { eventSchemas, eventWebhookSchemas } from "../events/index.ts";
import { exchangeSchemas } from "../exchange/index.ts";
import { fileSchemas } from "../files/index.ts";
import { peopleSchemas } from "../people/index.ts";
import { NO_FRAMES } from "../platform/http/index.ts";
import { entityTagsIn, matchesWeakly } from "../platform/operations/index.ts";
import { objectSchema, printed, type Schemas } from "../platform/validation/index.ts";
import { recordSchemas } from "../records/index.ts";
import { systemSchemas } from "../system/index.ts";

/** The version of the interface. */
const INTERFACE_VERSION = "0.1.0";

const ERROR_SCHEMAS: Schemas = {
  ErrorDetail: {
    ...objectSchema({ detail: { type: "string" } }),
    additionalProperties: true,
  },
  ValidationError: objectSchema(
    {
      type: { type: "string" },
      loc: { type: "array", items: { type: ["string", "integer"] } },
      msg: { type: "string" },
      input: {},
      ctx: { type: "object", additionalProperties: true },
    },
    ["type", "loc", "msg", "input"],
  ),
  HTTPValidationError: objectSchema({
    detail: { type: "array", items: { $ref: "ValidationError#" } },
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

/** openapi.json and the page that shows it; the page asks no other host for anything. */
export async function describe(app: FastifyInstance): Promise<void> {
  const schemas = {
    ...ERROR_SCHEMAS,
    ...recordSchemas(),
    ...accessSchemas,
    Change: CHANGE_SCHEMA,
    ...eventSchemas,
    ...fileSchemas,
    ...exchangeSchemas,
    ...deliverySchemas,
    ...eventWebhookSchemas,
    ...peopleSchemas,
    ...systemSchemas,
    ...demoSchemas,
  };
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Leadport",
        version: INTERFACE_VERSION,
        description:
          "CRM records and partner lead exchange. See docs/ for guides. Asked with " +
          "`Prefer: timing`, every operation tells in `Server-Timing` where its time went.",
      },
      components: {
        securitySchemes: {
          APIKeyHeader: inHeader("`Bearer ` followed by an access token."),
          SessionCookie: inCookie(
            "leadport",
            "The session of a person who signed in; `__Host-leadport` over https. Where there is no " +
              "Authorization it opens what an access token opens, as far as the person's role goes. " +
              "Writes must come from a page of this origin.",
          ),
          PartnerToken: inHeader("`Partner ` followed by a partner token."),
          PartnerCookie: inCookie(
            "leadport_partner",
            "A partner token as the portal has it; `__Host-leadport_partner` over https. Where there " +
              "is no Authorization it opens what a partner token opens. Writes must come from a page " +
              "of this origin.",
          ),
        },
      },
    },
    refResolver: { buildLocalReference: ({ $id }) => String($id) },
  });
  for (const [name, schema] of Object.entries(schemas)) {
    app.addSchema({ ...(printed(schema) as object), $id: name });
  }
  addDocument(app);
  addDocsPage(app);
}

/** The document is printed once: it is large, and anyone may ask for it. */
function addDocument(app: FastifyInstance): void {
  let document: { readonly bytes: Buffer; readonly etag: string } | undefined;
  app.get("/openapi.json", { schema: { hide: true } }, async ({ headers }, reply) => {
    document ??= printDocument(app);
    reply.header("etag", document.etag);
    const known = entityTagsIn("if-none-match", headers["if-none-match"]).value;
    if (known !== undefined && matchesWeakly(known, document.etag)) return reply.code(304).send();
    return reply.type("application/json").send(document.bytes);
  });
}

function printDocument(app: FastifyInstance) {
  const bytes = Buffer.from(JSON.stringify(app.swagger()));
  const digest = createHash("sha256").update(bytes).digest("base64url");
  return { bytes, etag: `"${digest}"` };
}

/**
 * The page is made when it is first asked for: most processes are never asked, and it holds 25 MB.
 */
function addDocsPage(app: FastifyInstance): void {
  let made: Promise<FastifyInstance> | undefined;
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    made ??= makeDocsPage();
    const page = await made;
    reply.hijack();
    for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...NO_FRAMES })) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    page.routing(request.raw, reply.raw);
  };
  for (const url of ["/docs", "/docs/*"]) app.get(url, { schema: { hide: true } }, answer);
  app.addHook("onClose", async () => (await made)?.close());
}

async function makeDocsPage(): Promise<FastifyInstance> {
  const { default: apiReference } = await import("@scalar/fastify-api-reference");
  const page = Fastify();
  await page.register(apiReference, {
    routePrefix: "/docs",
    configuration: { url: "/openapi.json", withDefaultFonts: false, telemetry: false },
  });
  await page.ready();
  return page;
}
