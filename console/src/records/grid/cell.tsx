/**
 * A value in a cell of a table. Rows come by the dozen while somebody scrolls, so a cell is made of
 * plain elements, one or two, where a page uses components.
 */

import { useSession } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import {
  date,
  dateTime,
  mailHref,
  money,
  number,
  percent,
  phoneHref,
  relative,
  words,
} from "../../ui/format/index.ts";
import { statusColour } from "../../ui/lists/index.ts";
import { pageOf, referenceOf, type RecordType, type Stored } from "../record/index.ts";
import { dueOf, type TableColumn } from "../list/index.ts";
import css from "./grid.module.css";

const TAGS_MAX = 3;

export interface CellProps {
  readonly type: RecordType;
  readonly record: Stored;
  readonly column: TableColumn;
  /** Whether links of the cell are reached by Tab. */
  readonly isActive: boolean;
}

export function Cell({ type, record, column: { name, kind }, isActive }: CellProps) {
  const { tenant } = useSession();
  const value = record[name];
  const tab = isActive ? 0 : -1;
  if (value === null || value === undefined || value === "") return t.common.none;
  if (Array.isArray(value) && value.length === 0) return t.common.none;
  switch (kind) {
    case "status":
      return <Status value={String(value)} />;
    case "word":
      return words(String(value));
    case "tags":
      return <Tags tags={value as readonly string[]} />;
    case "number":
      return number(Number(value));
    case "share":
      return percent(Number(value));
    case "money":
      return money(Number(value), tenant.currency);
    case "moment":
      return name === "due_date" ? <DueDate record={record} /> : <Moment at={Number(value)} />;
    case "flag":
      return value === true ? t.common.yes : t.common.no;
    case "email":
      return (
        <a href={mailHref(String(value))} tabIndex={tab}>
          {String(value)}
        </a>
      );
    case "phone":
      return (
        <a href={phoneHref(String(value))} tabIndex={tab}>
          {phoneOf(record) ?? String(value)}
        </a>
      );
    case "emails":
      return (value as readonly { readonly email: string }[]).map(({ email }) => email).join(", ");
    case "phones":
      return (value as readonly Phone[])
        .map(({ phone, formatted_phone }) => formatted_phone ?? phone)
        .join(", ");
    case "reference": {
      const to = referenceOf(type, name);
      const shown = String(record[name.replace(/_id$/, "_name")] ?? value);
      return to === undefined ? (
        shown
      ) : (
        <a href={pageOf(to, String(value))} tabIndex={tab}>
          {shown}
        </a>
      );
    }
    case "lines":
    case "socials":
      return number((value as readonly unknown[]).length);
    case "object":
      return typeof value === "string" ? value : JSON.stringify(value);
    case "link":
    case "text":
    case "long_text":
      return String(value);
  }
}

interface Phone {
  readonly phone: string;
  readonly formatted_phone: string | null;
}

/** The main number as people write it. */
const phoneOf = (record: Stored): string | null | undefined =>
  (record["phone_list"] as readonly Phone[] | undefined)?.[0]?.formatted_phone;

const Status = ({ value }: { readonly value: string }) => (
  <span className={css["status"]}>
    <i style={{ background: `var(--mantine-color-${statusColour(value)}-6)` }} />
    {words(value)}
  </span>
);

const Tags = ({ tags }: { readonly tags: readonly string[] }) => (
  <span className={css["tags"]} title={tags.join(", ")}>
    {tags.slice(0, TAGS_MAX).map((tag) => (
      <span key={tag}>{tag}</span>
    ))}
    {tags.length > TAGS_MAX && `+${tags.length - TAGS_MAX}`}
  </span>
);

const Moment = ({ at }: { readonly at: number }) => (
  <time dateTime={new Date(at * 1000).toISOString()} title={dateTime(at)}>
    {relative(at)}
  </time>
);

function DueDate({ record }: { readonly record: Stored }) {
  const at = Number(record["due_date"]);
  const due = dueOf(record);
  return (
    <time
      dateTime={new Date(at * 1000).toISOString()}
      title={dateTime(at)}
      className={due === undefined ? undefined : css[due]}
    >
      {due === undefined
        ? date(at)
        : due === "today"
          ? t.table.today
          : `${t.table.overdue} · ${date(at)}`}
    </time>
  );
}
