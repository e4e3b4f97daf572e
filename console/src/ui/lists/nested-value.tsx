/**
 * Shows a nested object or list as labels and values, which users can read without knowing JSON.
 */

import { t } from "../../text/index.ts";
import { isNothing, memberLabel, memberText, plainText } from "../format/index.ts";
import classes from "./nested-value.module.css";

const isPlain = (value: unknown): boolean => typeof value !== "object" || value === null;

export function NestedValue({ value }: { readonly value: unknown }) {
  if (isNothing(value)) return t.common.none;
  if (Array.isArray(value)) {
    if (value.every(isPlain)) return memberText(value);
    return (
      <ul className={classes.items}>
        {value.map((item: unknown, at) => (
          <li key={at}>
            <NestedValue value={item} />
          </li>
        ))}
      </ul>
    );
  }
  if (typeof value !== "object" || value === null) return plainText(value) ?? t.common.none;
  return (
    <dl className={classes.members}>
      {Object.entries(value).map(([name, member]) => (
        <Member key={name} name={name} value={member} />
      ))}
    </dl>
  );
}

const Member = ({ name, value }: { readonly name: string; readonly value: unknown }) => (
  <>
    <dt>{memberLabel(name)}</dt>
    <dd>
      <NestedValue value={value} />
    </dd>
  </>
);
