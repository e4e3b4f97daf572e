/**
 * What a tenant's endpoint would be sent, as somebody writes its template: the body as PUT takes it,
 * rendered with the marked sample. Nothing is stored of it, and nothing is sent (D9.4, D9.5).
 */

import { scopeOf, type Caller } from "../../access/index.ts";
import type { Scope } from "../../audit/index.ts";
import type { Database } from "../../platform/database/index.ts";
import type { BodyShape, Operation } from "../../platform/operations/index.ts";
import { maskedHeaders, requestOf, type Callout } from "./callout.ts";
import { askedCallout } from "./callout-setting.ts";
import type { TemplateValues } from "./template.ts";

/** One of the two settings, as its preview needs it. */
export interface Previewed {
  readonly url: string;
  readonly id: string;
  readonly summary: string;
  readonly body: BodyShape;
  readonly defaults: Callout;
  /** How it is set up now: a mask in the body stands for what is stored. */
  readonly read: (scope: Scope) => Promise<Callout>;
  readonly sample: TemplateValues;
}

export const previewOf = (
  { db }: { readonly db: Database },
  { url, id, summary, body, defaults, read, sample }: Previewed,
): Operation<Caller> => ({
  method: "POST",
  url,
  id,
  summary,
  tag: "settings",
  permission: "admin",
  body,
  answer: { $ref: "CalloutPreview#" },
  run: async ({ caller, body: sent, write }) => {
    const before = await read(scopeOf(db.sql, caller));
    const asked = askedCallout({ before, sent, defaults });
    const { body: rendered = null, headers } = requestOf(asked, sample);
    return write(async () => ({
      body: rendered,
      content_type: headers["content-type"],
      headers: maskedHeaders(asked.headers),
    }));
  },
});
