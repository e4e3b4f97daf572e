/**
 * A value in a table cell. Dozens of rows are rendered while the user scrolls, so each cell
 * consists of one or two plain elements instead of components.
 */

import { useQuery } from "@tanstack/react-query";
import { useSession } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import {
  date,
  exactTime,
  isNothing,
  mailHref,
  memberText,
  money,
  number,
  percent,
  phoneAddress,
  canDial,
  phoneHref,
  phoneText,
  relative,
  shortDate,
  words,
} from "../../ui/format/index.ts";
import { statusColor } from "../../ui/lists/index.ts";
import { nameQuery, usePartnerNames } from "../../names/index.ts";
import {
  type Entry,
  hasTime,
  isConverted,
  mainPhone,
  pageOf,
  type RecordType,
  type Reference,
  referenceAt,
  type Stored,
  typeLabel,
} from "../../record/index.ts";
import { dueOf, type TableColumn } from "../list/index.ts";
import { ConvertedMark } from "./converted-mark.tsx";
import css from "./grid.module.css";

/** More tags would be truncated to one letter each. The tooltip lists all of them. */
const TAGS_MAX = 1;

export interface CellProps {
  readonly type: RecordType;
  readonly record: Stored;
  readonly column: TableColumn;
  /** Whether the cell's links can be reached with Tab. */
  readonly isActive: boolean;
}

export function Cell({ type, record, column: { name, kind }, isActive }: CellProps) {
  const { tenant } = useSession();
  const value = record[name];
  const tab = isActive ? 0 : -1;
  if (isNothing(value)) return t.common.none;
  const reference = referenceAt(type, record, name);
  if (reference !== undefined) return <RecordName {...reference} tab={tab} />;
  switch (kind) {
    case "status":
      return isConverted(type, record) ? (
        <ConvertedMark record={record} tabIndex={tab} />
      ) : (
        <Status value={String(value)} />
      );
    case "choice":
    case "keyword":
      return <Plain text={words(String(value))} />;
    case "tags":
      return <Tags tags={value as readonly string[]} />;
    case "number":
    case "integer":
      return number(Number(value));
    case "fraction":
      return percent(Number(value));
    case "money":
      return money(Number(value), tenant.currency);
    case "datetime":
      return name === "due_date" ? (
        <DueDate record={record} />
      ) : (
        <Moment at={Number(value)} isTimed={hasTime(name)} />
      );
    case "boolean":
      return value === true ? t.common.yes : t.common.no;
    case "email":
      return <Address href={mailHref(String(value))} text={String(value)} tab={tab} />;
    case "phone": {
      const main = mainPhone(record) ?? { phone: String(value) };
      const text = phoneText(main, tenant.default_country);
      if (!canDial(main)) return <Plain text={text} />;
      return <Address href={phoneHref(phoneAddress(main))} text={text} tab={tab} />;
    }
    case "emails":
      return <Plain text={(value as readonly Entry[]).map(({ email }) => email).join(", ")} />;
    case "phones":
      return (
        <Plain
          text={(value as readonly Entry[])
            .map((entry) =>
              phoneText({ ...entry, phone: entry.phone ?? "" }, tenant.default_country),
            )
            .join(", ")}
        />
      );
    case "partner":
      return <PartnerName id={String(value)} tab={tab} />;
    case "pushed_lead":
      return (
        <a href={`/review/${encodeURIComponent(String(value))}`} tabIndex={tab}>
          {t.record.openPushedLead}
        </a>
      );
    case "user":
      return <Plain text={String(record["user_name"] ?? t.record.otherUser)} />;
    case "lines":
      return number((value as readonly unknown[]).length);
    case "social_profiles":
      return <Plain text={networksIn(value as readonly Profile[])} />;
    case "object":
      return <Plain text={memberText(value)} />;
    case "reference":
    case "url":
    case "subject":
    case "year":
    case "ssn":
    case "id":
    case "text":
    case "long_text":
      return <Plain text={memberText(value)} />;
  }
}

const TITLE_MAX = 500;

/** Text that may be truncated. Hovering shows it in full. */
const Plain = ({ text }: { readonly text: string }) => (
  <span title={text.slice(0, TITLE_MAX)}>{text}</span>
);

interface LinkProps {
  readonly tab: number;
}

const Address = ({
  href,
  text,
  tab,
}: LinkProps & { readonly href: string; readonly text: string }) => (
  <a href={href} title={text} tabIndex={tab}>
    {text}
  </a>
);

/**
 * A referenced record's name as a link. The table loads the names for a whole page of rows at once.
 */
function RecordName({ to, id, name: served, tab }: Reference & LinkProps) {
  const { data } = useQuery({ ...nameQuery(to, id), enabled: served === undefined });
  const name = served ?? data;
  if (name === undefined) return <span className={css["waiting"]} />;
  if (name === null) return <i title={id}>{t.record.missing(typeLabel(to).one)}</i>;
  return <Address href={pageOf(to, id)} text={name} tab={tab} />;
}

function PartnerName({ id, tab }: LinkProps & { readonly id: string }) {
  const { partners, mayRead } = usePartnerNames();
  if (!mayRead) return t.record.partner;
  if (partners === undefined) return <span className={css["waiting"]} />;
  const name = partners.find((one) => one.id === id)?.name;
  if (name === undefined) return <i title={id}>{t.record.missing(t.record.partner)}</i>;
  return <Address href={`/partners/${encodeURIComponent(id)}`} text={name} tab={tab} />;
}

type Profile = Readonly<Record<string, unknown>>;

const networksIn = (profiles: readonly Profile[]): string =>
  profiles
    .map(({ type, platform }) => words(String(type ?? platform ?? t.record.profile)))
    .join(", ");

const Status = ({ value }: { readonly value: string }) => (
  <span className={css["status"]} title={words(value)}>
    <i style={{ background: `var(--mantine-color-${statusColor(value)}-6)` }} />
    <span>{words(value)}</span>
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

interface MomentProps {
  readonly at: number;
  /** Whether the time of day matters. Otherwise, the value is shown as a date. */
  readonly isTimed: boolean;
}

const Moment = ({ at, isTimed }: MomentProps) => (
  <time dateTime={new Date(at * 1000).toISOString()} title={exactTime(at)}>
    {isTimed ? relative(at) : date(at)}
  </time>
);

function DueDate({ record }: { readonly record: Stored }) {
  const at = Number(record["due_date"]);
  const due = dueOf(record);
  return (
    <time
      dateTime={new Date(at * 1000).toISOString()}
      title={exactTime(at)}
      className={due === undefined ? undefined : css[due]}
    >
      {due === undefined
        ? date(at)
        : due === "today"
          ? t.table.today
          : `${t.table.overdue} · ${shortDate(at)}`}
    </time>
  );
}
