/** The input for a field, which depends on the kind of field. */

import { Switch, TagsInput, Textarea, TextInput } from "@mantine/core";
import { useSession } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { wordOptions } from "../../ui/format/index.ts";
import { NumberField, SearchSelect, SuggestInput } from "../../ui/forms/index.ts";
import {
  type Draft,
  type Field,
  fieldLabel,
  kindOf,
  type RecordType,
  referenceOf,
} from "../../record/index.ts";
import { AssigneeInput } from "./assignee-input.tsx";
import { EntriesInput } from "./entries-input.tsx";
import { messageAt, type FieldProps, type InputOrder } from "./field-props.ts";
import { FreeInput } from "./free-input.tsx";
import { LinesInput } from "./lines-input.tsx";
import { MomentInput } from "./moment-input.tsx";
import { ReferenceInput } from "./reference-input.tsx";
import { SocialsInput } from "./socials-input.tsx";
import { SubjectInput } from "./subject-input.tsx";

/** Descriptions go below the inputs, so that inputs in a row align. */
const ORDER: InputOrder = ["label", "input", "description", "error"];

export function FieldInput(props: FieldProps) {
  const { type, name, place = name, draft, issues, onChange, canCreate = false } = props;
  const { tenant } = useSession();
  const field = type.fields[name];
  if (field === undefined) return null;
  if (name === type.subject_fields?.type) return <SubjectInput {...props} />;
  if (type.name === "task" && name === "userid") return <AssigneeInput {...props} />;
  const value = draft[name] ?? null;
  const set = (next: unknown) => onChange({ [name]: next });
  const common = {
    label: props.label ?? fieldLabel(name),
    description: t.record.hints[name],
    required: field.required,
    error: messageAt(issues, place),
    inputWrapperOrder: ORDER,
  };
  switch (field.kind) {
    case "choice":
      return (
        <SearchSelect
          {...common}
          data={wordOptions(field.options ?? [])}
          value={value as string | null}
          onChange={set}
          searchable={(field.options ?? []).length > 8}
        />
      );
    case "tags":
      return (
        <TagsInput
          {...common}
          error={messageAt(issues, place, true)}
          description={t.record.tagsHint}
          value={[...((value ?? []) as readonly string[])]}
          onChange={set}
        />
      );
    case "number":
    case "fraction":
    case "integer":
    case "year":
    case "money":
      return (
        <NumberField
          {...common}
          {...numberProps(type, name, field, tenant.currency)}
          description={followsLines(type, name, draft) ? t.record.follows : common.description}
          value={shownNumber(type, name, value)}
          onChange={(next) => set(storedNumber(type, name, next))}
          clampBehavior="none"
        />
      );
    case "datetime":
      return <MomentInput {...common} name={name} value={value as number | null} onChange={set} />;
    case "boolean":
      return (
        <Switch
          label={common.label}
          error={common.error}
          checked={value === true}
          onChange={({ currentTarget }) => set(currentTarget.checked)}
        />
      );
    case "reference": {
      const to = referenceOf(type, name);
      return to === undefined ? null : (
        <ReferenceInput
          {...common}
          description={oneOfHint(type, name, draft) ?? common.description}
          to={to}
          value={value as string | null}
          onChange={set}
          near={draft}
          canCreate={canCreate}
        />
      );
    }
    case "lines":
      return <LinesInput {...props} field={field} />;
    case "social_profiles":
      return <SocialsInput {...props} />;
    case "emails":
      return <EntriesInput {...props} of="email" />;
    case "phones":
      return <EntriesInput {...props} of="phone" />;
    case "object":
      return <FreeInput {...common} value={value} onChange={set} />;
    default: {
      const text = {
        ...common,
        value: (value ?? "") as string,
        onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
          set(currentTarget.value === "" ? null : currentTarget.value),
      };
      const suggestions = t.record.suggestions[name];
      if (suggestions !== undefined) {
        return (
          <SuggestInput
            {...common}
            data={[...suggestions]}
            value={text.value}
            onChange={(next) => set(next === "" ? null : next)}
          />
        );
      }
      return kindOf(type, name) === "long_text" ? (
        <Textarea {...text} autosize minRows={3} maxRows={12} />
      ) : (
        <TextInput {...text} {...textProps(field)} />
      );
    }
  }
}

/** Returns a hint for the first of several fields if at least one of them is required and none is set. */
function oneOfHint(
  { required_one_of: oneOf }: RecordType,
  name: string,
  draft: Draft,
): string | undefined {
  if (oneOf[0] !== name || oneOf.some((other) => (draft[other] ?? null) !== null)) return;
  return t.record.oneOf(oneOf.map((other) => fieldLabel(other)));
}

/** Whether the field shows the total of the lines. It does so until the user enters another value. */
function followsLines(type: RecordType, name: string, draft: Draft): boolean {
  const sum = type.fields[name]?.sum_of;
  return sum !== undefined && ((draft[sum.lines] ?? []) as readonly unknown[]).length > 0;
}

const TEXT_PROPS = {
  email: { type: "email", inputMode: "email" },
  phone: { type: "tel", inputMode: "tel" },
  url: { inputMode: "url" },
} as const;

/**
 * Prevents browsers from filling in the user's own data, because the record is about someone else.
 */
const textProps = ({ kind }: Field) => ({
  autoComplete: "off",
  ...(kind === "ssn" && { placeholder: "000-00-0000" }),
  ...TEXT_PROPS[kind as keyof typeof TEXT_PROPS],
});

function numberProps(type: RecordType, name: string, { kind }: Field, currency: string) {
  if (kind === "money") return { suffix: ` ${currency}`, thousandSeparator: ",", decimalScale: 6 };
  if (kindOf(type, name) === "fraction") return { suffix: " %", decimalScale: 6 };
  return kind === "number" ? {} : { allowDecimal: false };
}

/** Returns the number to show. A probability is shown as a percentage. */
function shownNumber(type: RecordType, name: string, value: unknown): number | string {
  if (typeof value !== "number") return (value ?? "") as string;
  return kindOf(type, name) === "fraction" ? rounded(value * 100) : value;
}

/** Returns the number to store. Input that is not a number is returned unchanged, so that the service can report it. */
function storedNumber(type: RecordType, name: string, typed: number | string): unknown {
  if (typed === "") return null;
  if (typeof typed === "string") return typed;
  return kindOf(type, name) === "fraction" ? rounded(typed / 100) : typed;
}

/** Removes floating-point errors. */
const rounded = (value: number): number => Number(value.toFixed(8));
