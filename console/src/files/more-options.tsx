/** More import options, such as the unique ID column, combined columns and the default account. */

import {
  Card,
  Checkbox,
  Divider,
  NativeSelect,
  SimpleGrid,
  Stack,
  Switch,
  TextInput,
  Title,
} from "@mantine/core";
import { t } from "../text/index.ts";
import { EncodingPreview } from "./encoding-preview.tsx";
import { ENCODINGS, namesKey } from "./import/index.ts";
import { type MoreOptionsProps, TemplateList } from "./template-list.tsx";

type Choice = "spreadsheet" | "strict";
type TextOption =
  | "external_id"
  | "mode"
  | "default_account"
  | "dates"
  | "decimal"
  | "encoding"
  | "delimiter";

/**
 * Descriptions go below the inputs, so that inputs stay aligned regardless of the length of the
 * description.
 */
const under = { inputWrapperOrder: ["label" as const, "input" as const, "description" as const] };

export function MoreOptions({ type, file, headings, options, onOptions }: MoreOptionsProps) {
  /** Sets an option. An empty string removes it. */
  const set = (name: TextOption, value: string) => {
    const { [name]: _, ...others } = options;
    onOptions(value === "" ? others : { ...others, [name]: value });
  };
  const hasKey = namesKey(options);
  /** Returns the props for an option that is either true or absent. */
  const onOrOff = (name: Choice) => ({
    checked: options[name] === true,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      const { [name]: _, ...others } = options;
      onOptions(currentTarget.checked ? { ...others, [name]: true } : others);
    },
  });
  const choiceOf = (name: TextOption) => ({
    value: options[name] ?? "",
    onChange: ({ currentTarget }: { currentTarget: HTMLSelectElement }) =>
      set(name, currentTarget.value),
  });
  const hasAccount = "account_id" in type.fields;
  const recognised = { value: "", label: t.files.detectAutomatically };
  return (
    <Card withBorder padding="lg" component="section">
      <Stack gap="lg">
        <Title order={2}>{t.files.more}</Title>
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} verticalSpacing="md">
          <NativeSelect
            {...under}
            label={t.files.externalId}
            description={t.files.externalIdHint}
            {...choiceOf("external_id")}
            data={[{ value: "", label: t.files.noKey }, ...headings]}
          />
          <NativeSelect
            {...under}
            label={t.files.mode}
            description={hasKey ? t.files.modeHint : t.files.modeNeedsKey}
            {...choiceOf("mode")}
            data={[
              { value: "", label: hasKey ? t.files.modes.upsert : t.files.modes.create },
              ...(hasKey
                ? (["create", "update"] as const).map((value) => ({
                    value,
                    label: t.files.modes[value],
                  }))
                : []),
            ]}
          />
          {hasAccount && (
            <TextInput
              {...under}
              label={t.files.defaultAccount}
              description={t.files.defaultAccountHint}
              value={options.default_account ?? ""}
              onChange={({ currentTarget }) => set("default_account", currentTarget.value)}
            />
          )}
          <NativeSelect
            {...under}
            label={t.files.dates}
            description={t.files.datesHint}
            {...choiceOf("dates")}
            data={[
              { value: "", label: t.files.datesAuto },
              { value: "dmy", label: t.files.datesDmy },
              { value: "mdy", label: t.files.datesMdy },
            ]}
          />
          <NativeSelect
            {...under}
            label={t.files.decimal}
            description={t.files.decimalHint}
            {...choiceOf("decimal")}
            data={[
              { value: "", label: t.files.decimalAuto },
              { value: ".", label: t.files.decimalPoint },
              { value: ",", label: t.files.decimalComma },
            ]}
          />
          <NativeSelect
            {...under}
            label={t.files.encoding}
            {...choiceOf("encoding")}
            data={[recognised, ...ENCODINGS]}
          />
          <NativeSelect
            {...under}
            label={t.files.delimiter}
            {...choiceOf("delimiter")}
            data={[
              recognised,
              ...Object.entries(t.files.delimiters).map(([value, label = value]) => ({
                value,
                label,
              })),
            ]}
          />
        </SimpleGrid>
        {options.encoding !== undefined && (
          <EncodingPreview file={file} encoding={options.encoding} />
        )}
        <Checkbox
          label={t.files.spreadsheet}
          description={t.files.spreadsheetHint}
          {...onOrOff("spreadsheet")}
        />
        <Switch label={t.files.strict} {...onOrOff("strict")} />
        <Divider />
        <TemplateList type={type} headings={headings} options={options} onOptions={onOptions} />
      </Stack>
    </Card>
  );
}
