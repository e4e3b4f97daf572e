/** The result of an erasure: what was removed, who received data, and what must be kept. */

import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import type { PersonErasure } from "@leadport/client";
import { privacyTexts as text } from "../../text/privacy.ts";
import { number, words } from "../../ui/format/index.ts";
import { Fact, Facts } from "../../ui/lists/index.ts";
import { Holds, Recipients } from "./recipients.tsx";

export interface ErasureResultProps {
  readonly erasure: PersonErasure;
  readonly onAgain: () => void;
}

export const ErasureResult = ({ erasure, onAgain }: ErasureResultProps) => (
  <Stack gap="md">
    <Alert color="teal" icon={<IconCheck aria-hidden />} title={text.done} role="status">
      {erasure.state === "running" && <Text size="sm">{text.running}</Text>}
    </Alert>
    <Counts title={text.resultRows} counts={erasure.counts} />
    <Recipients recipients={erasure.recipients} />
    <Holds holds={erasure.legal_holds} />
    <Group>
      <Button variant="default" onClick={onAgain}>
        {text.another}
      </Button>
    </Group>
  </Stack>
);

export interface CountsProps {
  readonly title: string;
  readonly counts: PersonErasure["counts"];
}

/** The number of rows by table. */
export function Counts({ title, counts }: CountsProps) {
  const rows = Object.entries(counts);
  return (
    <div>
      <Text fw={600} size="sm" mb={4}>
        {title}
      </Text>
      {rows.length === 0 ? (
        <Text size="sm">{text.nothingDone}</Text>
      ) : (
        <Facts>
          {rows.map(([table, count]) => (
            <Fact key={table} label={text.tables[table] ?? words(table)}>
              {number(count)}
            </Fact>
          ))}
        </Facts>
      )}
    </div>
  );
}
