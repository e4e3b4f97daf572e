/** The first steps, shown until the business has a lead. */

import { SimpleGrid, Text } from "@mantine/core";
import { IconFileImport, IconHeartHandshake, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMay, useSession } from "../api/index.ts";
import { isUnnamed } from "../first-visit/index.ts";
import { t } from "../text/index.ts";
import { Section } from "../ui/frame/index.ts";
import { LinkButton, TextLink } from "../ui/states/index.ts";
import { anyLeadQuery } from "./any-lead.ts";
import { FirstStep } from "./first-step.tsx";

export function GettingStarted() {
  const mayWrite = useMay("records:write");
  const isAdmin = useMay("admin");
  const { tenant } = useSession();
  const { data } = useQuery(anyLeadQuery);
  if (!mayWrite || data === undefined || data.items.length > 0) return null;
  return (
    <Section
      title={t.home.empty}
      hint={t.home.emptyHint}
      actions={
        <LinkButton
          to="/$type/new"
          params={{ type: "leads" }}
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
        >
          {t.home.newLead}
        </LinkButton>
      }
    >
      {isAdmin && isUnnamed(tenant) && (
        <Text size="sm">
          {t.home.unnamed}{" "}
          <TextLink to="/your-business" inherit underline="always">
            {t.home.nameIt}
          </TextLink>
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }} spacing="md">
        <FirstStep
          icon={IconFileImport}
          title={t.home.records}
          hint={t.home.recordsHint}
          action={<LinkButton to="/imports/new">{t.home.importFile}</LinkButton>}
        />
        {isAdmin && (
          <FirstStep
            icon={IconHeartHandshake}
            title={t.home.exchange}
            hint={t.home.exchangeHint}
            action={
              <LinkButton to="/partners/new" variant="default">
                {t.home.createPartner}
              </LinkButton>
            }
          />
        )}
      </SimpleGrid>
    </Section>
  );
}
