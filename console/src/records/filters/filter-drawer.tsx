/** Edits a filter as conditions or JSON, and applies the filter once the service accepts it. */

import {
  Button,
  Collapse,
  Drawer,
  Group,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { isInvalid } from "@leadport/client";
import { useState } from "react";
import { readPage, sentenceOf, useSending } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { Copy } from "../../ui/forms/index.ts";
import { Failure } from "../../ui/states/index.ts";
import { listPath, typeLabel, type RecordType } from "../../record/index.ts";
import { ConditionRow } from "./condition-row.tsx";
import { selectionOf } from "../list/index.ts";
import { useDraft } from "./use-draft.ts";

export interface FilterDrawerProps {
  readonly type: RecordType;
  readonly filter: string | undefined;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onApply: (filter: string | undefined) => void;
}

export function FilterDrawer(props: FilterDrawerProps) {
  const { type, opened, onClose } = props;
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size="lg"
      title={t.table.filterTitle(typeLabel(type).many)}
    >
      <FilterForm {...props} />
    </Drawer>
  );
}

/** The form starts with the applied filter each time the drawer opens. */
function FilterForm({ type, filter, onApply }: FilterDrawerProps) {
  const form = useDraft(type, filter);
  const { draft, text } = form;
  const [isShown, json] = useDisclosure(draft.as === "json");
  const [isTried, setTried] = useState(false);
  const applying = useSending(async () => {
    // Let the service validate the new filter before it replaces the current filter.
    if (text !== "") {
      const query = { ...selectionOf(type, { filter: text }), page_size: 1 };
      await readPage(listPath(type), { query });
    }
    onApply(text === "" ? undefined : text);
  });
  const refusal = isInvalid(applying.error) ? sentenceOf(applying.error) : undefined;
  const submit = () => {
    setTried(true);
    if (!form.isIncomplete) applying.send(undefined);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap="md">
        {draft.as === "json" ? (
          <Text size="sm" c="dimmed">
            {t.table.builder.beyond}
          </Text>
        ) : (
          <RowsPart type={type} form={form} isTried={isTried} />
        )}
        <Button
          variant="subtle"
          size="compact-sm"
          aria-expanded={isShown}
          onClick={json.toggle}
          style={{ alignSelf: "flex-start" }}
        >
          {isShown ? t.table.builder.hideJson : t.table.builder.showJson}
        </Button>
        <Collapse expanded={isShown}>
          <JsonPart
            text={form.json}
            error={refusal}
            onChange={(next) => {
              applying.reset();
              form.setText(next);
            }}
          />
        </Collapse>
        {(refusal === undefined || !isShown) && <Failure error={applying.error} />}
        <Group justify="flex-end" gap="xs">
          <Button
            variant="default"
            onClick={() => {
              applying.reset();
              form.clear();
            }}
          >
            {t.table.builder.clear}
          </Button>
          <Button type="submit" loading={applying.isSending}>
            {t.table.builder.apply}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface RowsPartProps {
  readonly type: RecordType;
  readonly form: ReturnType<typeof useDraft>;
  readonly isTried: boolean;
}

function RowsPart({ type, form, isTried }: RowsPartProps) {
  const { draft, fields } = form;
  if (draft.as !== "rows") return null;
  const { rows } = draft;
  return (
    <>
      {rows.conditions.length > 1 && (
        <SegmentedControl
          aria-label={t.table.builder.join}
          value={rows.isAny ? "any" : "all"}
          onChange={(value) => form.setRows({ ...rows, isAny: value === "any" })}
          data={[
            { value: "all", label: t.table.builder.all },
            { value: "any", label: t.table.builder.any },
          ]}
        />
      )}
      {rows.conditions.length === 0 && (
        <Text size="sm" c="dimmed">
          {t.table.builder.none}
        </Text>
      )}
      {rows.conditions.map((condition, at) => (
        <ConditionRow
          // Rows have no identity other than their position.
          key={at}
          type={type}
          at={at}
          fields={fields}
          condition={condition}
          isTried={isTried}
          onChange={(next) => form.setCondition(at, next)}
          onRemove={() => form.remove(at)}
        />
      ))}
      <Button
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={form.add}
        style={{ alignSelf: "flex-start" }}
      >
        {t.table.builder.add}
      </Button>
    </>
  );
}

interface JsonPartProps {
  readonly text: string;
  readonly error: string | undefined;
  readonly onChange: (text: string) => void;
}

const JsonPart = ({ text, error, onChange }: JsonPartProps) => (
  <Stack gap="xs" align="flex-start">
    <Textarea
      w="100%"
      label={t.table.builder.json}
      description={t.table.builder.jsonHint}
      value={text}
      error={error}
      autosize
      minRows={3}
      maxRows={14}
      spellCheck={false}
      styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
    <Copy text={text} />
  </Stack>
);
