/**
 * Shows an old, new or alternative value of a field. The format is the same as on the record page, but the record
 * itself is not needed.
 */

import { Text } from "@mantine/core";
import { type Draft, kindOf, type RecordType, type Stored } from "../../record/index.ts";
import { LineTexts } from "./line-texts.tsx";
import { Value } from "./value.tsx";
import classes from "./record-page.module.css";

export interface ShownValueProps {
  readonly type: RecordType;
  readonly values: Draft;
  readonly name: string;
}

export function ShownValue({ type, values, name }: ShownValueProps) {
  const value = values[name];
  const field = type.fields[name];
  if (kindOf(type, name) === "long_text" && typeof value === "string") {
    return (
      <Text span size="sm" lineClamp={4} title={value} style={{ whiteSpace: "pre-wrap" }}>
        {value}
      </Text>
    );
  }
  return (
    <div className={classes["small"]}>
      {field?.members !== undefined && Array.isArray(value) && value.length > 0 ? (
        <LineTexts members={field.members} lines={value} />
      ) : (
        <Value type={type} record={values as Stored} name={name} />
      )}
    </div>
  );
}
