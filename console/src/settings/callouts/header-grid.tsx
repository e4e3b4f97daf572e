/** Request headers as rows of names and values. */

import { ActionIcon, Button, Group, Input, Stack, TextInput } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { t } from "../../text/index.ts";
import { emptyRow, type HeaderRow } from "./header-rows.ts";

const text = t.integrations.callout;

export interface HeaderGridProps {
  readonly rows: readonly HeaderRow[];
  readonly onChange: (rows: HeaderRow[]) => void;
  readonly error?: string | undefined;
}

export function HeaderGrid({ rows, onChange, error }: HeaderGridProps) {
  const change = (key: number, part: Partial<HeaderRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  return (
    <Input.Wrapper
      label={text.headers}
      labelElement="div"
      description={text.headersHint}
      error={error}
      errorProps={{ role: "alert" }}
    >
      <Stack gap="xs" mt={6} role="group" aria-label={text.headers}>
        {rows.map(({ key, name, value, isStored }, at) => (
          <Group key={key} gap="xs" wrap="nowrap">
            <TextInput
              flex={1}
              aria-label={text.headerName(at + 1)}
              placeholder={text.headerNamePlaceholder}
              spellCheck={false}
              value={name}
              onChange={({ currentTarget }) => change(key, { name: currentTarget.value })}
            />
            <TextInput
              flex={{ base: 1, sm: 2 }}
              aria-label={text.headerValue(at + 1)}
              placeholder={isStored ? text.stored : text.valuePlaceholder}
              spellCheck={false}
              autoComplete="off"
              value={value}
              onChange={({ currentTarget }) => change(key, { value: currentTarget.value })}
            />
            <ActionIcon
              variant="default"
              size={36}
              aria-label={text.removeHeader(at + 1)}
              onClick={() => onChange(rows.filter((row) => row.key !== key))}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        <div>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => onChange([...rows, emptyRow(rows)])}
          >
            {text.addHeader}
          </Button>
        </div>
      </Stack>
    </Input.Wrapper>
  );
}
