/** The columns that a record type's table can show, derived from the type. */

import { type Kind, kindFor } from "../../kinds/index.ts";
import {
  fieldLabel,
  filterFields,
  hasPeople,
  isSetElsewhere,
  originalOf,
  type RecordType,
} from "../../record/index.ts";
import { words } from "../../ui/format/index.ts";

export interface TableColumn {
  readonly name: string;
  readonly label: string;
  readonly kind: Kind;
  /** Whether the column contains the status, which also shows that a lead was converted. */
  readonly isStatus: boolean;
  /** Whether `sort_dict` accepts the column. */
  readonly canSort: boolean;
  /** Whether the column contains numbers or amounts, which are right-aligned. */
  readonly isNumber: boolean;
  /** The default width in pixels. */
  readonly width: number;
  /**
   * Whether the column takes a share of the remaining space, because its text can be longer than
   * its width.
   */
  readonly canGrow: boolean;
}

/** The service's default order, which is also the fastest. */
export const NEWEST_FIRST = { id: "created_ts", desc: true } as const;

const STAMPS = ["created_ts", "updated_ts", "status_update_date"];

/** The columns that are shown by default, in this order, if the type has them and they fit. The creation time follows. */
const SHOWN_FIRST = [
  "name",
  "invoice_num",
  "lead_status",
  "status",
  "stage",
  "due_date",
  "priority",
  "email",
  "phone",
  "value_of_sale",
  "total_amount",
  "account_id",
  "expected_close_date",
  "invoice_date",
  "order_date",
  "lead_source",
  "source",
  "subject",
  "userid",
  "user_name",
  "contact_id",
  "tags",
  "relationship_type",
  "industry",
  "order_type",
  "invoice_type",
];
/** The default columns, including the creation time, are at most this wide, to fit into a window of 1440 px. */
const FIT_WIDTH = 1102;

/** Column widths: for the names of people and businesses, and for other names, which are longer. */
const NAME_WIDTH = 165;
const TITLE_WIDTH = 240;
const TEXT_WIDTH = 100;
/** The width of the due date, including the label for overdue tasks. */
const DUE_WIDTH = 175;
/** A column is wide enough for its label and the sort icon, up to this width. */
const LABEL_MAX = 175;
const LABEL_LETTER = 7.5;
const LABEL_SPACE = 44;
/** A column of options is wide enough for the longest label and, for statuses, a colored dot. */
const OPTION_LETTER = 8;
const OPTION_MAX = 190;
const OPTION_SPACE = 26;
const DOT_SPACE = 16;

/** Returns a column's label. A copy has the label of its original. */
export const columnLabel = (type: RecordType, name: string): string =>
  fieldLabel(originalOf(type, name));

/**
 * All columns by name. If a field has copies, this includes only the copy by which lists can be filtered and sorted.
 */
export const columnsOf = remember((type: RecordType): ReadonlyMap<string, TableColumn> => {
  const filters = filterFields(type);
  const names = [
    ...Object.keys(type.fields),
    ...Object.keys(type.members).filter((name) => !type.fields[name] && !isSystem(type, name)),
    // In tasks, the assignee is a regular field.
    ...(type.fields["userid"] === undefined ? ["user_name"] : []),
    ...STAMPS,
  ];
  const preferred = (original: string): string =>
    filters.includes(original)
      ? original
      : (filters.find((copy) => originalOf(type, copy) === original) ?? original);
  const columns = names
    .filter((name) => !isReferenceName(type, name) && name === preferred(originalOf(type, name)))
    .map((name): [string, TableColumn] => {
      const kind = kindFor(type, name);
      return [
        name,
        {
          name,
          label: columnLabel(type, name),
          kind,
          isStatus: originalOf(type, name) === type.status_field,
          canSort: STAMPS.includes(name) || (filters.includes(name) && kind.isList !== true),
          isNumber: kind.isNumber === true,
          width: widthOf(type, name, kind),
          canGrow: kind.isShort !== true,
        },
      ];
    });
  return new Map(columns);
});

/** Whether a member is the same in all types. */
const isSystem = ({ members }: RecordType, name: string): boolean =>
  members[name]?.origin?.rule === "system";

function widthOf(type: RecordType, name: string, kind: Kind): number {
  if (name === identityOf(type)) return hasPeople(type) ? NAME_WIDTH : TITLE_WIDTH;
  if (name === "due_date") return DUE_WIDTH;
  const label = LABEL_SPACE + LABEL_LETTER * columnLabel(type, name).length;
  const longest = Math.max(0, ...(choicesOf(type, name) ?? []).map((of) => words(of).length));
  const dot = originalOf(type, name) === type.status_field ? DOT_SPACE : 0;
  const option = longest === 0 ? 0 : OPTION_SPACE + dot + OPTION_LETTER * longest;
  return Math.max(
    kind.width ?? TEXT_WIDTH,
    Math.min(LABEL_MAX, Math.ceil(label)),
    Math.min(OPTION_MAX, option),
  );
}

/**
 * Whether the field is the name of a referenced record: `account_name` is shown in the `account_id`
 * column.
 */
const isReferenceName = (type: RecordType, name: string): boolean =>
  type.members[name]?.origin?.rule === "name";

/** Returns the column that identifies a record and links to the record's page. */
export const identityOf = (type: RecordType): string => originalOf(type, "name");

export const defaultColumns = remember((type: RecordType): readonly string[] => {
  const all = columnsOf(type);
  const last = "created_ts";
  const fitting: string[] = [];
  let width = all.get(last)?.width ?? 0;
  for (const name of SHOWN_FIRST) {
    const column = all.get(name);
    if (column === undefined || isSetElsewhere(type, name)) continue;
    width += column.width;
    if (width > FIT_WIDTH) break;
    fitting.push(name);
  }
  return [...fitting, last];
});

/** Returns the columns in the URL parameter `cols`; the default columns if none of them exist. */
export function shownColumns(type: RecordType, cols: string | undefined): readonly string[] {
  const all = columnsOf(type);
  const named = [...new Set((cols ?? "").split(","))].filter((name) => all.has(name));
  return named.length > 0 ? named : defaultColumns(type);
}

/** Returns a field's options, if it has any. */
export function choicesOf(type: RecordType, name: string): readonly string[] | undefined {
  return type.fields[originalOf(type, name)]?.options;
}

function remember<T>(work: (type: RecordType) => T): (type: RecordType) => T {
  const known = new Map<RecordType, T>();
  return (type) => {
    let value = known.get(type);
    if (value === undefined) {
      value = work(type);
      known.set(type, value);
    }
    return value;
  };
}
