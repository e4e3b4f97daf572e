/** Finds stored templates that would be rejected if they were saved again. `leadport doctor` lists them. */

import { SERVICE, type TenantId } from "../../audit/index.ts";
import { type Db, run } from "../../platform/database/index.ts";
import { contentTypeOf } from "./callout.ts";
import { namesOf } from "../../platform/json/index.ts";
import { readCallout } from "./callout-setting.ts";
import { CHECK } from "./duplicate-check.ts";
import { WEBHOOK } from "./import-webhook.ts";
import type { SettingDeps, SettingName } from "./setting.ts";
import { readTemplate, TemplateError } from "./template.ts";

export interface RefusedTemplate {
  readonly tenantId: TenantId;
  readonly setting: SettingName;
  /** The error that would be returned if the template were saved again unchanged. */
  readonly problem: string;
}

const SETTINGS = { import_webhook: WEBHOOK, duplicate_check: CHECK } as const;

/**
 * Returns all stored templates that are older than the current rules and violate them. Leadport still uses these
 * templates.
 */
export async function listRefusedTemplates(
  db: Db,
  deps: Pick<SettingDeps, "sealer">,
): Promise<readonly RefusedTemplate[]> {
  const rows = await run<{ tenant_id: TenantId; name: SettingName }[]>(db)`
    select tenant_id, name from tenant_settings
     where name = any(${namesOf(SETTINGS)}) and value->'body_template' is not null
       and value->'raw_template' is null
     order by tenant_id, name`;
  const refused: RefusedTemplate[] = [];
  for (const { tenant_id: tenantId, name: setting } of rows) {
    const scope = { db, tenantId, actor: SERVICE };
    const stored = await readCallout(scope, deps, SETTINGS[setting]);
    const contentType = contentTypeOf(stored.headers);
    try {
      readTemplate(stored.body_template, {
        contentType,
        raw: false,
        names: namesOf(SETTINGS[setting].sample),
      });
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      refused.push({ tenantId, setting, problem: error.message });
    }
  }
  return refused;
}
