/** Explains how partners can use the API from their own programs. */

import { Button, Card, Code, Group, SegmentedControl, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { portalTexts } from "../../text/portal.ts";
import { Copy } from "../../ui/forms/index.ts";
import { PageHeader } from "../../ui/frame/index.ts";
import { Facts, usePartner } from "../partner/index.ts";
import { SAMPLES, type Language } from "./samples.ts";

const texts = portalTexts.api;

export default function UseApi() {
  const { partner_id } = usePartner();
  const [language, setLanguage] = useState<Language>("curl");
  return (
    <>
      <PageHeader
        title={texts.title}
        hint={texts.hint}
        actions={
          <Button component="a" href="/docs/partner" target="_blank" variant="default">
            {texts.docs}
          </Button>
        }
      />
      <Stack gap="lg" maw={860}>
        <Card withBorder padding="lg" py="sm">
          <Facts
            facts={[
              { label: texts.id, value: <Code fz="sm">{partner_id}</Code> },
              { label: texts.address, value: <Code fz="sm">{location.origin}</Code> },
            ]}
          />
        </Card>
        <SegmentedControl
          aria-label={texts.language}
          data={[
            { value: "curl", label: "curl" },
            { value: "typescript", label: "TypeScript" },
          ]}
          value={language}
          onChange={(value) => setLanguage(value)}
          style={{ alignSelf: "flex-start" }}
        />
        {SAMPLES[language](location.origin, partner_id).map(({ title, hint, code }) => (
          <section key={title}>
            <Group justify="space-between" align="flex-end" mb="xs" wrap="nowrap">
              <div>
                <Title order={2}>{title}</Title>
                <Text size="sm" c="dimmed">
                  {hint}
                </Text>
              </div>
              <Copy text={code} />
            </Group>
            <Code block tabIndex={0} fz="sm" aria-label={title}>
              {code}
            </Code>
          </section>
        ))}
      </Stack>
    </>
  );
}
