/** A body template: placeholders are inserted at the cursor, and unknown ones are told. */

import { Button, Group, Stack, Textarea } from "@mantine/core";
import { useRef } from "react";
import { t } from "../../text/index.ts";
import { insertPlaceholder, unknownPlaceholders } from "./placeholders.ts";

const text = t.integrations.callout;

export interface TemplateEditorProps {
  /** The placeholders that there are. */
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
    // After the value has been written, which moves the cursor to the end.
    requestAnimationFrame(() => {
      at?.focus();
      at?.setSelectionRange(cursor, cursor);
    });
  };
  const unknown = unknownPlaceholders(value, names);
  const told = unknown.map((name) => `{{${name}}}`).join(", ");
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
        error={unknown.length > 0 ? text.unknownPlaceholders(told) : error}
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
