/** Radio buttons for a partner's status: active or suspended. */

import { Group, Radio } from "@mantine/core";
import { partnerTexts } from "../text/partners.ts";
import { STATUSES } from "./partner.ts";

export interface StatusInputProps {
  readonly value?: string;
  readonly onChange?: (value: string) => void;
}

export const StatusInput = ({ value, onChange }: StatusInputProps) => (
  <Radio.Group
    label={partnerTexts.statusFilter}
    {...(value !== undefined && { value })}
    {...(onChange !== undefined && { onChange })}
  >
    <Group gap="lg" mt={6}>
      {STATUSES.map((status) => (
        <Radio key={status} value={status} label={partnerTexts[status]} />
      ))}
    </Group>
  </Radio.Group>
);
