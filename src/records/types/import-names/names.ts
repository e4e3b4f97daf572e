/** What the files of other systems call columns and values. */

/** The names of one record type. Without a list, files are expected to use the names of its fields. */
export interface ImportNames<Name extends string = never> {
  /**
   * Field → names of its column, best first. A field's own name and its aliases come before all of them,
   * except where a list names the field itself. The order of fields decides which of them gets a
   * column that two could take. Columns of email addresses, phone numbers and social profiles are
   * recognized by their words instead.
   */
  readonly columns?: Readonly<Record<string, readonly string[]>>;
  /** What columns of its fields may begin with: "Deal Name", "Ticket Status". */
  readonly prefixes?: readonly string[];
  /**
   * Field → value → other words for it. Only words of which a reader would not doubt the meaning, and
   * the stages that the two largest CRMs come with; every other word is kept in the record.
   */
  readonly values?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** Fields that a record without a name is named after, best first. */
  readonly namedBy?: readonly string[];
  /** Names of columns that refer to a record of the type. */
  readonly references?: readonly string[];
  /**
   * Names of columns of the subject, and the types of the records that these name, best first; the first
   * entry that fits wins.
   */
  readonly subjects?: readonly {
    readonly types: readonly Name[];
    readonly hasOthers?: true;
    readonly names: readonly string[];
  }[];
}

/** Names without case, spaces and punctuation. */
export const names = (text: string): readonly string[] => text.trim().split(/\s+/);

/** The ways in which exports name a column that refers to one of these: ids before names. */
export const references = (text: string, endings: string): readonly string[] =>
  names(endings).flatMap((ending) => names(text).map((name) => name + ending.replace("-", "")));

export const ID_ENDINGS = "-id -ids -recordid -nameid -uuid";
export const DOMAIN_ENDINGS = "-domain -domainname -website -url";
export const NAME_ENDINGS = "-name - -title";
