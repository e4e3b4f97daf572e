/** Downloads all data of the business as a file. For owners. */

import { Button, Stack, Text } from "@mantine/core";
import type { TenantExport } from "@leadport/client";
import { useState } from "react";
import { api, useSending, useSession } from "../api/index.ts";
import { t } from "../text/index.ts";
import { SecretOnce } from "../ui/forms/index.ts";
import { Section } from "../ui/frame/index.ts";
import { Failure } from "../ui/states/index.ts";

const text = t.business.download;

export function Download() {
  const { person } = useSession();
  const [prepared, setPrepared] = useState<TenantExport>();
  const preparing = useSending(() => api.post("/crm/admin/tenant/exports"), setPrepared);
  if (person.role !== "owner") return null;
  return (
    <Stack maw={760} mt="md">
      <Section title={text.title} hint={text.hint}>
        {prepared === undefined ? (
          <div>
            <Button
              variant="default"
              loading={preparing.isSending}
              onClick={() => preparing.send(undefined)}
            >
              {text.prepare}
            </Button>
          </div>
        ) : (
          <Stack gap="sm" align="flex-start">
            <SecretOnce title={text.key} secret={prepared.transfer_key} />
            <Text size="sm">{text.keyHint}</Text>
            <Button component="a" href={prepared.download} download>
              {text.download}
            </Button>
          </Stack>
        )}
        <Failure error={preparing.error} />
      </Section>
    </Stack>
  );
}
