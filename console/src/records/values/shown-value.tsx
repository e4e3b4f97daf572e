/**
 * Shows an old, new or alternative value of a field. The format is the same as on the record page, but the record
 * itself is not needed.
 */

import { kindFor } from "../../kinds/index.ts";
import type { Draft, RecordType, Stored } from "../../record/index.ts";
import { isEmpty, Value } from "./value.tsx";
import classes from "./record-page.module.css";

export interface ShownValueProps {
  readonly type: RecordType;
  readonly values: Draft;
  readonly name: string;
}

export function ShownValue({ type, values, name }: ShownValueProps) {
  const record = values as Stored;
  const { Brief } = kindFor(type, name);
  return (
    <div className={classes["small"]}>
      {Brief === undefined || isEmpty(values[name]) ? (
        <Value type={type} record={record} name={name} />
      ) : (
        <Brief type={type} record={record} name={name} value={values[name]} />
      )}
    </div>
  );
}
