/** A one-time link to copy and share. */

import type { PersonLink } from "@leadport/client";
import { Stack, Text } from "@mantine/core";
import { t } from "../text/index.ts";
import { SecretOnce } from "../ui/forms/index.ts";
import { dateTime } from "../ui/format/index.ts";

export const OneTimeLink = ({ made }: { readonly made: PersonLink }) => (
  <Stack gap="sm">
    <Text size="sm">
      {t.people.linkHint(made.name)} {dateTime(made.link_expires_ts)}.{" "}
      {made.emailed && t.people.emailed}
    </Text>
    <SecretOnce title={t.people.link} secret={made.link} />
  </Stack>
);
