/** Maps values in the file that match none of the field's options. */

import { Button, Card, Group, NativeSelect, Table, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { fieldLabel, type RecordType } from "../record/index.ts";
import { t } from "../text/index.ts";
import { number, words as inWords } from "../ui/format/index.ts";
import classes from "./import/files.module.css";
import type { ImportOptions, WordCount } from "./import/index.ts";

export interface ValueListProps {
  readonly type: RecordType;
  readonly words: readonly WordCount[];
  readonly options: ImportOptions;
  readonly onOptions: (options: ImportOptions) => void;
}

interface Row {
  readonly field: string;
  readonly word: string;
  readonly rows: number | undefined;
}

/** Returns the options of each field that has options. */
const choicesOf = ({ fields }: RecordType): ReadonlyMap<string, readonly string[]> =>
  new Map(
    Object.entries(fields).flatMap(([name, { options }]) =>
      options === undefined ? [] : [[name, options] as const],
    ),
  );

/** Returns the label of the field to which the service adds unmapped values. */
const notesOf = (type: RecordType): string =>
  fieldLabel(
    Object.keys(type.fields).find((name) => type.fields[name]?.kind === "long_text") ?? "",
  );

/** Returns the unrecognized values from the last check and the values that the user mapped. */
function rowsOf(words: readonly WordCount[], { values = {} }: ImportOptions): readonly Row[] {
  const met = words.flatMap(({ kind, field, word, rows }) =>
    kind === "unknown_word" && field !== null && word !== null ? [{ field, word, rows }] : [],
  );
  const isMet = (field: string, word: string) =>
    met.some((row) => row.field === field && row.word === word);
  const mapped = Object.entries(values).flatMap(([field, meanings]) =>
    Object.keys(meanings)
      .filter((word) => !isMet(field, word))
      .map((word) => ({ field, word, rows: undefined })),
  );
  return [...mapped, ...met];
}

/** Returns the option that a value is mapped to; an empty string if there is none. */
function meaningIn({ values = {} }: ImportOptions, { field, word }: Row): string {
  const meanings = values[field] ?? {};
  return (Object.hasOwn(meanings, word) ? meanings[word] : undefined) ?? "";
}

/** Returns the options with a different mapping for a value. An empty mapping removes the value. */
function withMeaning(options: ImportOptions, { field, word }: Row, value: string): ImportOptions {
  const { [word]: _, ...others } = options.values?.[field] ?? {};
  const meanings = value === "" ? others : { ...others, [word]: value };
  return { ...options, values: { ...options.values, [field]: meanings } };
}

export function ValueList({ type, words, options, onOptions }: ValueListProps) {
  const choices = choicesOf(type);
  const rows = rowsOf(words, options);
  if (choices.size === 0) return null;
  const notes = notesOf(type);
  return (
    <Card withBorder padding="lg" component="section">
      <Title order={2}>{t.files.words}</Title>
      <Text size="sm" c="dimmed" mt={2} mb="sm">
        {t.files.wordsHint(notes)}
      </Text>
      {rows.length > 0 && (
        <Table aria-label={t.files.words} mb="md" layout="fixed" className={classes["text"]}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.files.word}</Table.Th>
              <Table.Th visibleFrom="sm" w="20%">
                {t.files.wordField}
              </Table.Th>
              <Table.Th w="50%">{t.files.means}</Table.Th>
              <Table.Th w={72} ta="right">
                {t.files.rows}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={`${row.field} ${row.word}`}>
                <Table.Td>{row.word}</Table.Td>
                <Table.Td visibleFrom="sm">{fieldLabel(row.field)}</Table.Td>
                <Table.Td>
                  <NativeSelect
                    size="xs"
                    maw={240}
                    aria-label={t.files.meaningOf(row.word, fieldLabel(row.field))}
                    value={meaningIn(options, row)}
                    onChange={({ currentTarget }) =>
                      onOptions(withMeaning(options, row, currentTarget.value))
                    }
                    data={[
                      { value: "", label: t.files.keepAsNote(notes) },
                      ...(choices.get(row.field) ?? []).map(asOption),
                    ]}
                  />
                </Table.Td>
                <Table.Td ta="right">{row.rows === undefined ? "" : number(row.rows)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <NewValue
        choices={choices}
        onWord={(row, value) => onOptions(withMeaning(options, row, value))}
      />
    </Card>
  );
}

const asOption = (value: string) => ({ value, label: inWords(value) });

interface NewValueProps {
  readonly choices: ReadonlyMap<string, readonly string[]>;
  readonly onWord: (row: Row, value: string) => void;
}

/** Adds a mapping for a value that the check did not report because it matches an option. */
function NewValue({ choices, onWord }: NewValueProps) {
  const [field, setField] = useState([...choices.keys()][0] ?? "");
  const [word, setWord] = useState("");
  const add = () => {
    onWord({ field, word: word.trim(), rows: undefined }, choices.get(field)?.[0] ?? "");
    setWord("");
  };
  return (
    <Group gap="xs" align="flex-end">
      {choices.size > 1 && (
        <NativeSelect
          size="xs"
          label={t.files.wordField}
          value={field}
          onChange={({ currentTarget }) => setField(currentTarget.value)}
          data={[...choices.keys()].map((value) => ({ value, label: fieldLabel(value) }))}
        />
      )}
      <TextInput
        size="xs"
        label={t.files.newWord}
        value={word}
        onChange={({ currentTarget }) => setWord(currentTarget.value)}
      />
      <Button size="xs" variant="default" disabled={word.trim() === ""} onClick={add}>
        {t.files.addWord}
      </Button>
    </Group>
  );
}
