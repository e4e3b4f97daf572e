/** A sample request with the new access token, ready to copy. */

import { Code, Group, Text } from "@mantine/core";
import { t } from "../../text/index.ts";
import { Copy } from "../../ui/forms/index.ts";

export function TokenUse() {
  const command = `export TOKEN='lp_…'
curl -sS "${window.location.origin}/crm/leads?page_size=1" \\
  -H "Authorization: Bearer $TOKEN"`;
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={500}>
          {t.integrations.tokens.use}
        </Text>
        <Copy text={command} />
      </Group>
      <Code block tabIndex={0}>
        {command}
      </Code>
    </div>
  );
}
