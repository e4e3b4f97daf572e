/** Edits fields that combine several columns of the file. */

import {
  ActionIcon,
  Button,
  Group,
  Menu,
  NativeSelect,
  Stack,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { IconColumnInsertRight, IconTrash } from "@tabler/icons-react";
import { fieldLabel, type RecordType } from "../record/index.ts";
import { t } from "../text/index.ts";
import { type ImportOptions, targetsOf } from "./import/index.ts";

export interface MoreOptionsProps {
  readonly type: RecordType;
  readonly file: File;
  readonly headings: readonly string[];
  readonly options: ImportOptions;
  readonly onOptions: (options: ImportOptions) => void;
}

export function TemplateList({
  type,
  headings,
  options,
  onOptions,
}: Omit<MoreOptionsProps, "file">) {
  const templates = Object.entries(options.set ?? {});
  const open = targetsOf(type).filter((field) => options.set?.[field] === undefined);
  const write = (changed: readonly (readonly [string, string])[]) =>
    onOptions({ ...options, set: Object.fromEntries(changed) });
  const change = (at: number, entry: readonly [string, string]) =>
    write(templates.map((known, index) => (index === at ? entry : known)));
  const [next] = open;
  return (
    <Stack gap="sm">
      <div>
        <Title order={3} fz="md">
          {t.files.templates}
        </Title>
        <Text size="sm" c="dimmed" mt={2}>
          {t.files.templatesHint}
        </Text>
      </div>
      {templates.map(([field, text], at) => (
        <Group key={field} gap="xs" align="flex-end" wrap="wrap">
          <NativeSelect
            size="xs"
            label={t.files.templateField}
            value={field}
            onChange={({ currentTarget }) => change(at, [currentTarget.value, text])}
            data={[field, ...open].map((value) => ({ value, label: fieldLabel(value) }))}
          />
          <TextInput
            size="xs"
            flex="1 1 14rem"
            label={t.files.template}
            placeholder={t.files.templatePlaceholder}
            value={text}
            onChange={({ currentTarget }) => change(at, [field, currentTarget.value])}
          />
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon size={30} variant="default" aria-label={t.files.insertColumn}>
                <IconColumnInsertRight size={16} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown mah={320} style={{ overflowY: "auto" }}>
              {headings.map((heading) => (
                <Menu.Item key={heading} onClick={() => change(at, [field, `${text}{${heading}}`])}>
                  {heading}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
          <ActionIcon
            size={30}
            variant="default"
            aria-label={t.files.removeTemplate(fieldLabel(field))}
            onClick={() => write(templates.filter((_, index) => index !== at))}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      {next !== undefined && (
        <Group>
          <Button size="xs" variant="default" onClick={() => write([...templates, [next, ""]])}>
            {t.files.addTemplate}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
