/** Tests the saved settings by sending a sample that is marked as a test. */

import { Button, Group, Text } from "@mantine/core";
import type { CalloutTest } from "@leadport/client";
import { t } from "../../text/index.ts";
import { Failure } from "../../ui/states/index.ts";
import { Section } from "../../ui/frame/index.ts";
import { useSending } from "../../api/index.ts";
import { useState } from "react";
import { TestResult } from "./test-result.tsx";

const text = t.integrations.callout;

export interface TestCalloutProps {
  readonly isDirty: boolean;
  readonly hasAddress: boolean;
  readonly hint?: string;
  readonly work: () => Promise<CalloutTest>;
}

export function TestCallout({ isDirty, hasAddress, hint = text.testHint, work }: TestCalloutProps) {
  const [result, setResult] = useState<CalloutTest>();
  const { send, isSending, error } = useSending(work, setResult);
  const obstacle = isDirty ? text.testUnsaved : hasAddress ? undefined : text.testNoAddress;
  return (
    <Section title={text.testTitle} hint={hint}>
      <Group gap="sm">
        <Button
          variant="default"
          loading={isSending}
          disabled={obstacle !== undefined}
          onClick={() => send(undefined)}
        >
          {text.test}
        </Button>
        {obstacle !== undefined && (
          <Text size="sm" c="dimmed">
            {obstacle}
          </Text>
        )}
      </Group>
      <Failure error={error} />
      {result !== undefined && error === null && <TestResult result={result} />}
    </Section>
  );
}
