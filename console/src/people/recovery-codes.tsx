/** Recovery codes, shown once. */

import { Button, Group, Stack, Text } from "@mantine/core";
import { t } from "../text/index.ts";
import { SecretOnce } from "../ui/forms/index.ts";

export interface DoneProps {
  readonly onDone: () => Promise<void>;
}

export const RecoveryCodes = ({
  codes,
  onDone,
}: DoneProps & { readonly codes: readonly string[] }) => (
  <Stack>
    <Text size="sm">{t.profile.recoveryHint}</Text>
    <SecretOnce title={t.profile.recoveryTitle} secret={codes.join("\n")} />
    <Group justify="flex-end">
      <Button onClick={() => void onDone()}>{t.profile.done}</Button>
    </Group>
  </Stack>
);
