/** The part of openapi.json that partners need: their operations, and the schemas that these operations refer to. */

import type { DescribedOperation, Document, Paths } from "./examples/index.ts";

const SCHEME = "PartnerToken";
const TOKEN = "create_partner_token";

const isForPartners = ({ operationId, security = [] }: DescribedOperation): boolean =>
  operationId === TOKEN || security.some((needed) => SCHEME in needed);

const REFERENCE = /"#\/components\/schemas\/(\w+)"/g;

/** Returns the names of all schemas that a value refers to, directly or indirectly. */
function namesIn(value: unknown, schemas: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const names = new Set<string>();
  const open: unknown[] = [value];
  while (open.length > 0) {
    const text = JSON.stringify(open.pop());
    for (const [, name = ""] of text.matchAll(REFERENCE)) {
      if (!names.has(name)) open.push(schemas[name]);
      names.add(name);
    }
  }
  return names;
}

export function partnerView(document: Document): Document {
  const { info, components } = document;
  const paths: Paths = Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, methods]) => {
      const kept = Object.entries(methods).filter(([, operation]) => isForPartners(operation));
      return kept.length === 0 ? [] : [[path, Object.fromEntries(kept)]];
    }),
  );
  const names = namesIn([paths, document.webhooks ?? {}], components.schemas);
  const schemas = Object.entries(components.schemas).filter(([name]) => names.has(name));
  const scheme = components.securitySchemes[SCHEME];
  return {
    ...document,
    info: {
      ...info,
      title: "Leadport for partners",
      description:
        "Look up people, send leads and track them. See [the partner exchange](/docs/guides/partner-exchange) " +
        "for a walk-through.",
    },
    paths,
    components: {
      ...components,
      schemas: Object.fromEntries(schemas),
      securitySchemes: { ...(scheme && { [SCHEME]: scheme }) },
    },
  };
}
