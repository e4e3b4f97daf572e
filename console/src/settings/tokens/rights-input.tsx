/** Checkboxes for a token's permissions. */

import { Checkbox, Stack } from "@mantine/core";
import type { AccessTokenRequest } from "@leadport/client";
import { useMay } from "../../api/index.ts";
import { t } from "../../text/index.ts";

export type Right = AccessTokenRequest["permissions"][number];

const RIGHTS = Object.keys(t.integrations.rights) as Right[];

export interface RightsInputProps {
  readonly value?: Right[];
  readonly onChange?: (value: Right[]) => void;
  readonly error?: string | undefined;
}

export function RightsInput({ value = [], onChange, error }: RightsInputProps) {
  const mayReadSsn = useMay("ssn:read");
  return (
    <Checkbox.Group
      label={t.integrations.tokens.rights}
      required
      value={value}
      onChange={(rights) => onChange?.(rights)}
      error={error}
    >
      <Stack gap="xs" mt={6}>
        {RIGHTS.map((right) => (
          <Checkbox
            key={right}
            value={right}
            label={t.integrations.rights[right]}
            description={t.integrations.rightsHint[right]}
            disabled={right === "ssn:read" && !mayReadSsn}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
