/**
 * Inputs for additional email addresses or phone numbers and their types. Any address or number can be made the primary
 * one.
 */

import { ActionIcon, Button, Input, Stack, TextInput } from "@mantine/core";
import { IconPlus, IconStar, IconTrash } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { t } from "../../text/index.ts";
import { SuggestInput } from "../../ui/forms/index.ts";
import {
  sentBefore,
  textIn,
  withMain,
  type EntryKind,
  type Row,
} from "../../record/lists/index.ts";
import { messageAt, type FieldProps } from "./field-props.ts";
import classes from "./inputs.module.css";

const TYPE_MAX = 50;
const INPUT = {
  email: { type: "email", inputMode: "email" },
  phone: { type: "tel", inputMode: "tel" },
} as const;

export interface EntriesInputProps extends FieldProps {
  readonly of: EntryKind;
}

export function EntriesInput(props: EntriesInputProps) {
  const { name, place = name, draft, issues, onChange, of } = props;
  const texts = t.record.entries[of];
  const rows = (draft[name] ?? []) as readonly Row[];
  const [added, setAdded] = useState<number>();
  const addButton = useRef<HTMLButtonElement>(null);
  const set = (next: readonly Row[]) => onChange({ [name]: next });
  const change = (at: number, changes: Row) =>
    set(rows.map((row, index) => (index === at ? { ...row, ...changes } : row)));
  const leave = (changes: () => void) => {
    changes();
    addButton.current?.focus();
  };
  const placeOf = (at: number) => `${place}.${at + sentBefore(draft, of)}`;
  return (
    <Input.Wrapper
      component="fieldset"
      bd={0}
      p={0}
      m={0}
      miw={0}
      labelElement="div"
      error={messageAt(issues, place)}
    >
      <Input.Label component="legend" p={0} mb={4}>
        {texts.title}
      </Input.Label>
      <Stack gap="xs">
        {rows.map((row, at) => (
          <div key={at} className={classes["entry"]}>
            <SuggestInput
              maxLength={TYPE_MAX}
              aria-label={texts.typeOf(at + 1)}
              placeholder={t.record.entryType}
              data={[...texts.types]}
              value={String(row["type"] ?? "")}
              error={messageAt(issues, `${placeOf(at)}.type`)}
              onChange={(type) => change(at, { type })}
            />
            <TextInput
              {...INPUT[of]}
              autoComplete="off"
              autoFocus={at === added}
              aria-label={texts.textOf(at + 1)}
              value={textIn(row, of)}
              error={messageAt(issues, placeOf(at)) ?? messageAt(issues, `${placeOf(at)}.${of}`)}
              onChange={({ currentTarget }) => change(at, { [of]: currentTarget.value })}
            />
            <ActionIcon
              size={36}
              variant="subtle"
              color="gray"
              aria-label={texts.makeMain(at + 1)}
              title={texts.makeMain(at + 1)}
              disabled={textIn(row, of) === ""}
              onClick={() => leave(() => onChange(withMain(draft, name, of, at)))}
            >
              <IconStar size={18} />
            </ActionIcon>
            <ActionIcon
              size={36}
              variant="subtle"
              color="gray"
              aria-label={texts.remove(at + 1)}
              title={texts.remove(at + 1)}
              onClick={() => leave(() => set(rows.toSpliced(at, 1)))}
            >
              <IconTrash size={18} />
            </ActionIcon>
          </div>
        ))}
        <Button
          ref={addButton}
          variant="default"
          size="xs"
          w="fit-content"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => {
            setAdded(rows.length);
            set([...rows, { type: texts.types[0], [of]: "" }]);
          }}
        >
          {texts.add}
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}
