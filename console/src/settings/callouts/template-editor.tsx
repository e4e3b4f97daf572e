/** A body template editor. It inserts placeholders at the cursor and reports unknown placeholders. */

import { Button, Group, Stack, Textarea } from "@mantine/core";
import { useRef } from "react";
import { t } from "../../text/index.ts";
import { insertPlaceholder, unknownPlaceholders } from "./placeholders.ts";

const text = t.integrations.callout;

export interface TemplateEditorProps {
  /** The names of the available placeholders. */
  readonly names: readonly string[];
  readonly value: string;
  readonly onChange: (template: string) => void;
  readonly error?: string | undefined;
}

export function TemplateEditor({ names, value, onChange, error }: TemplateEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const insert = (name: string) => {
    const at = area.current;
    const selected = [
      at?.selectionStart ?? value.length,
      at?.selectionEnd ?? value.length,
    ] as const;
    const { text: next, cursor } = insertPlaceholder(value, name, selected);
    onChange(next);
    // Must run after the value is set, because setting it moves the cursor to the end.
    requestAnimationFrame(() => {
      at?.focus();
      at?.setSelectionRange(cursor, cursor);
    });
  };
  const unknown = unknownPlaceholders(value, names);
  const unknownNames = unknown.map((name) => `{{${name}}}`).join(", ");
  return (
    <Stack gap="xs">
      <Textarea
        ref={area}
        label={text.template}
        description={text.templateHint}
        autosize
        minRows={5}
        maxRows={18}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        error={unknown.length > 0 ? text.unknownPlaceholders(unknownNames) : error}
        errorProps={{ "aria-live": "polite" }}
      />
      <Group gap={6}>
        {names.map((name) => (
          <Button
            key={name}
            size="compact-sm"
            variant="default"
            ff="monospace"
            fw={400}
            aria-label={text.insert(name)}
            onClick={() => insert(name)}
          >
            {`{{${name}}}`}
          </Button>
        ))}
      </Group>
    </Stack>
  );
}
