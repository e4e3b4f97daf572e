/** The result of a test: the request, the response, and how the response was interpreted. */

import { Badge, Group, List, Stack, Text } from "@mantine/core";
import type { CalloutTest } from "@leadport/client";
import { t } from "../../text/index.ts";
import { Excerpt } from "../../ui/lists/index.ts";

const text = t.integrations.testResult;

export function TestResult({ result }: { readonly result: CalloutTest }) {
  const { ok, request, status, duration_ms, problem, body, understood } = result;
  return (
    <Stack gap="sm" role="status">
      <Group gap="sm">
        <Badge variant="dot" color={ok ? "teal" : "red"} tt="none" fw={500}>
          {ok ? text.ok : text.failed}
        </Badge>
        <Text size="sm">
          {status === null ? text.noResponse(duration_ms) : text.responded(status, duration_ms)}
        </Text>
      </Group>
      {problem !== null && <Text size="sm">{problem}</Text>}
      {understood !== undefined && (
        <div>
          <Text size="sm" fw={500}>
            {text.result}
          </Text>
          <List size="sm">
            <List.Item>{understood.exists ? text.exists : text.existsNot}</List.Item>
            {understood.name !== null && <List.Item>{text.personName(understood.name)}</List.Item>}
            {understood.exists && (
              <List.Item>{understood.active ? text.active : text.activeNot}</List.Item>
            )}
          </List>
        </div>
      )}
      <Excerpt
        label={text.request}
        content={`${request.method} ${request.url}\n\n${request.body ?? ""}`}
      />
      {status !== null && (
        <Excerpt
          label={text.response}
          content={body === null || body === "" ? text.emptyResponse : body}
        />
      )}
    </Stack>
  );
}
