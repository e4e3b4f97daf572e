/** The elements of table cells. They are plain, because dozens of rows are rendered while the user scrolls. */

import { useQuery } from "@tanstack/react-query";
import { t } from "../../text/index.ts";
import { nameQuery, usePartnerNames } from "../../names/index.ts";
import { pageOf, type Reference, typeLabel } from "../../record/index.ts";
import { words } from "../../ui/format/index.ts";
import { statusColor } from "../../ui/lists/index.ts";
import css from "./cells.module.css";

const TITLE_MAX = 500;
/** More tags would be truncated to one letter each. The tooltip lists all of them. */
const TAGS_MAX = 1;

/** Text that may be truncated. Hovering shows it in full. */
export const PlainText = ({ text }: { readonly text: string }) => (
  <span title={text.slice(0, TITLE_MAX)}>{text}</span>
);

interface LinkProps {
  readonly tab: number;
}

export const CellLink = ({
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
export function RecordName({ to, id, name: served, tab }: Reference & LinkProps) {
  const { data } = useQuery({ ...nameQuery(to, id), enabled: served === undefined });
  const name = served ?? data;
  if (name === undefined) return <span className={css["waiting"]} />;
  if (name === null) return <i title={id}>{t.record.missing(typeLabel(to).one)}</i>;
  return <CellLink href={pageOf(to, id)} text={name} tab={tab} />;
}

export function PartnerName({ id, tab }: LinkProps & { readonly id: string }) {
  const { partners, mayRead } = usePartnerNames();
  if (!mayRead) return t.record.partner;
  if (partners === undefined) return <span className={css["waiting"]} />;
  const name = partners.find((one) => one.id === id)?.name;
  if (name === undefined) return <i title={id}>{t.record.missing(t.record.partner)}</i>;
  return <CellLink href={`/partners/${encodeURIComponent(id)}`} text={name} tab={tab} />;
}

export const Status = ({ value }: { readonly value: string }) => (
  <span className={css["status"]} title={words(value)}>
    <i style={{ background: `var(--mantine-color-${statusColor(value)}-6)` }} />
    <span>{words(value)}</span>
  </span>
);

export const Tags = ({ tags }: { readonly tags: readonly string[] }) => (
  <span className={css["tags"]} title={tags.join(", ")}>
    {tags.slice(0, TAGS_MAX).map((tag) => (
      <span key={tag}>{tag}</span>
    ))}
    {tags.length > TAGS_MAX && `+${tags.length - TAGS_MAX}`}
  </span>
);
