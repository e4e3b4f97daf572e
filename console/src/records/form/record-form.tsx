/** A form for a record: main fields, further fields on demand, and errors next to their fields. */

import { List, Stack, UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from "react";
import { isInvalid } from "@leadport/client";
import { issuesByPlace } from "../../api/index.ts";
import { kindFor } from "../../kinds/index.ts";
import { t } from "../../text/index.ts";
import { Failure, Fault } from "../../ui/states/index.ts";
import { FormEnd } from "../../ui/forms/index.ts";
import { type Draft, fieldLabel, isApplicable, type RecordType } from "../../record/index.ts";
import { isSame, missingIn, withoutEmptyRows, type Purpose } from "./draft.ts";
import { FieldInput } from "./field-input.tsx";
import { formFields } from "./field-order.ts";
import classes from "./record-form.module.css";

export interface RecordFormProps {
  readonly type: RecordType;
  readonly purpose: Purpose;
  readonly initial: Draft;
  /**
   * Values that were filled in automatically. If the user entered nothing else, leaving requires no
   * confirmation.
   */
  readonly given?: Draft;
  readonly submitLabel: string;
  readonly sending: {
    readonly send: (draft: Draft) => void;
    readonly isSending: boolean;
    readonly error: unknown;
  };
  /** Whether the user can create referenced records from this form. */
  readonly canCreate?: boolean;
  readonly onDirty?: ((isDirty: boolean) => void) | undefined;
  readonly onCancel: () => void;
  /** Shown above the buttons. */
  readonly children?: (draft: Draft) => ReactNode;
}

export function RecordForm(props: RecordFormProps) {
  const { type, purpose, initial, submitLabel, sending, canCreate, onDirty, onCancel } = props;
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(initial);
  const [missing, setMissing] = useState<readonly string[]>([]);
  const [isUnfolded, setUnfolded] = useState(false);
  const fields = formFields(type, purpose);
  const names = [...fields.main, ...fields.more];
  const issues = {
    ...inWords(type, issuesByPlace(sending.error)),
    ...Object.fromEntries(missing.map((name) => [name, t.record.required])),
  };
  const isWrong = (name: string) =>
    Object.keys(issues).some((place) => place === name || place.startsWith(`${name}.`));
  const isOpen = isUnfolded || fields.more.some(isWrong);
  useFocusOnError(form, sending.error, missing);
  useEffect(() => form.current?.querySelector("input")?.focus(), []);

  const change = (changes: Draft) => {
    const next = { ...draft, ...changes };
    setDraft(next);
    setMissing(missing.filter((name) => !(name in changes)));
    onDirty?.(!isSame(next, initial));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The submit event of a form in a dialog must not reach the outer form.
    event.stopPropagation();
    const cleaned = withoutEmptyRows(type, draft);
    setDraft(cleaned);
    const absent = missingIn(type, names, cleaned);
    setMissing(absent);
    if (absent.length === 0) sending.send(cleaned);
  };
  const inputs = (of: readonly string[]) => (
    <div className={classes["grid"]}>
      {of
        .filter((name) => isApplicable(type, name, draft))
        .map((name) => (
          <div key={name} className={kindFor(type, name).isWideInput ? classes["wide"] : undefined}>
            <FieldInput
              type={type}
              name={name}
              draft={draft}
              issues={issues}
              onChange={change}
              canCreate={canCreate ?? false}
            />
          </div>
        ))}
    </div>
  );
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack gap="lg">
        {inputs(fields.main)}
        {fields.more.length > 0 && (
          <div>
            <UnstyledButton
              className={classes["more"]}
              aria-expanded={isOpen}
              onClick={() => setUnfolded(!isOpen)}
            >
              {isOpen ? (
                <IconChevronDown size={18} aria-hidden />
              ) : (
                <IconChevronRight size={18} aria-hidden />
              )}
              {t.record.moreFields}
            </UnstyledButton>
            {isOpen && inputs(fields.more)}
          </div>
        )}
        <Wrong
          error={sending.error}
          issues={issues}
          names={names}
          subject={type.subject_fields?.id}
        />
        {props.children?.(draft)}
        <FormEnd onCancel={onCancel} isSending={sending.isSending} submit={submitLabel} />
      </Stack>
    </form>
  );
}

interface WrongProps {
  readonly error: unknown;
  readonly issues: Readonly<Record<string, string>>;
  readonly names: readonly string[];
  readonly subject: string | undefined;
}

/** Shows errors that belong to no field. */
function Wrong({ error, issues, names, subject }: WrongProps) {
  if (error === null) return null;
  if (!isInvalid(error)) return <Failure error={error} />;
  const hasField = (place: string) =>
    [...names, subject].includes(place.slice(0, (place.indexOf(".") + 1 || place.length + 1) - 1));
  const general = Object.entries(issues).filter(([place]) => !hasField(place));
  if (general.length === 0) return null;
  return (
    <Fault>
      <List size="sm">
        {general.map(([place, message]) => (
          <List.Item key={place}>
            {place === "" ? message : `${fieldLabel(place.split(".")[0] ?? place)}: ${message}`}
          </List.Item>
        ))}
      </List>
    </Fault>
  );
}

const FIELD_NAME = /\b[a-z]+(?:_[a-z]+)+\b/g;

/** Replaces field names in messages with field labels. */
const inWords = (
  { fields }: RecordType,
  issues: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(issues).map(([place, message]) => [
      place,
      message.replaceAll(FIELD_NAME, (name) => (name in fields ? fieldLabel(name) : name)),
    ]),
  );

/** Focuses the first input with an error. */
function useFocusOnError(
  form: React.RefObject<HTMLFormElement | null>,
  error: unknown,
  missing: readonly string[],
): void {
  useEffect(() => {
    if (error === null && missing.length === 0) return;
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [form, error, missing]);
}
