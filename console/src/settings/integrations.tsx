/** Integrations: access tokens, import webhook and duplicate check. */

import { Tabs } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { t } from "../text/index.ts";
import { PageHeader } from "../ui/frame/index.ts";
import { DuplicateCheckPanel, ImportWebhookPanel } from "./callouts/index.ts";
import { readTab, TABS, type Tab } from "./search/index.ts";
import { TokensPanel } from "./tokens/index.ts";

const route = getRouteApi("/console/settings/integrations");

const PANELS: Readonly<Record<Tab, () => React.JSX.Element>> = {
  tokens: TokensPanel,
  import_webhook: ImportWebhookPanel,
  duplicate_check: DuplicateCheckPanel,
};

export default function Integrations() {
  const { tab = "tokens" } = route.useSearch();
  const navigate = useNavigate();
  return (
    <>
      <PageHeader title={t.integrations.title} hint={t.integrations.hint} />
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) =>
          void navigate({ to: "/settings/integrations", search: readTab({ tab: value }) })
        }
      >
        <Tabs.List mb="md" aria-label={t.integrations.title}>
          {TABS.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t.integrations.tabs[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TABS.map((name) => {
          const Panel = PANELS[name];
          return (
            <Tabs.Panel key={name} value={name}>
              <Panel />
            </Tabs.Panel>
          );
        })}
      </Tabs>
    </>
  );
}
