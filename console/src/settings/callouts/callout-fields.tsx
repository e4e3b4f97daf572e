/** The fields that the import webhook and the duplicate check have in common. */

import { NumberInput, Select, SimpleGrid, Switch, TextInput } from "@mantine/core";
import { t } from "../../text/index.ts";
import type { CalloutForm } from "./callout-form.ts";
import { HeaderGrid } from "./header-grid.tsx";
import { TemplateEditor } from "./template-editor.tsx";

const text = t.integrations.callout;

export interface CalloutFieldsProps {
  readonly form: CalloutForm;
  /** The placeholders available in the template. */
  readonly names: readonly string[];
  readonly issues: Readonly<Record<string, string>>;
}

export function CalloutFields({ form, names, issues }: CalloutFieldsProps) {
  return (
    <>
      <Switch
        label={text.enabled}
        {...form.getInputProps("enabled", { type: "checkbox" })}
        error={issues["enabled"]}
      />
      <TextInput
        label={text.url}
        description={text.urlHint}
        type="url"
        placeholder="https://hooks.example.com/leads"
        spellCheck={false}
        {...form.getInputProps("url")}
        error={issues["url"]}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label={text.method}
          data={["POST", "PUT"]}
          allowDeselect={false}
          {...form.getInputProps("method")}
          error={issues["method"]}
        />
        <NumberInput
          label={text.timeout}
          min={1}
          max={30}
          clampBehavior="none"
          {...form.getInputProps("timeout_s")}
          error={issues["timeout_s"]}
        />
      </SimpleGrid>
      <HeaderGrid
        rows={form.values.headers}
        onChange={(rows) => form.setFieldValue("headers", rows)}
        error={issues["headers"]}
      />
      <TemplateEditor
        names={names}
        value={form.values.body_template}
        onChange={(template) => form.setFieldValue("body_template", template)}
        error={issues["body_template"]}
      />
      <Switch
        label={text.rawTemplate}
        description={text.rawTemplateHint}
        {...form.getInputProps("raw_template", { type: "checkbox" })}
        error={issues["raw_template"]}
      />
    </>
  );
}
