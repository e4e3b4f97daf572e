/** One of several values that a field had or is to have: as on the page, without its record. */

import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { t } from "../../text/index.ts";
import {
  type Draft,
  kindOf,
  momentText,
  pageOf,
  type RecordType,
  referenceOf,
  type Stored,
} from "../record/index.ts";
import { Value } from "./value.tsx";
import classes from "./record-page.module.css";
import { TextLink } from "../../ui/states/index.ts";
import { recordQuery } from "../requests/index.ts";

export interface ShownValueProps {
  readonly type: RecordType;
  readonly values: Draft;
  readonly name: string;
}

export function ShownValue({ type, values, name }: ShownValueProps) {
  const value = values[name];
  const to = referenceOf(type, name);
  if (typeof value === "string" && to !== undefined) return <ReferenceLink to={to} id={value} />;
  if (typeof value === "number" && type.fields[name]?.kind === "epoch") {
    return <span className={classes["small"]}>{momentText(name, value)}</span>;
  }
  if (kindOf(type, name) === "long_text" && typeof value === "string") {
    return (
      <Text span size="sm" lineClamp={4} style={{ whiteSpace: "pre-wrap" }}>
        {value}
      </Text>
    );
  }
  if (kindOf(type, name) === "text" && typeof value === "object" && value !== null) {
    return JSON.stringify(value);
  }
  return (
    <span className={classes["small"]}>
      <Value type={type} record={values as Stored} name={name} />
    </span>
  );
}

export interface ReferenceLinkProps {
  readonly to: RecordType;
  readonly id: string;
}

/** A record by its name, which is asked for. */
export function ReferenceLink({ to, id }: ReferenceLinkProps) {
  const { data, isError } = useQuery(recordQuery(to, id));
  if (data === undefined && !isError) return t.common.loading;
  return (
    <TextLink to={pageOf(to, id)} size="sm">
      {data?.name ?? id}
    </TextLink>
  );
}
