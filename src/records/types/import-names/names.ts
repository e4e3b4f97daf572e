/** The names of columns and values in files from other systems. */

/** The names of one record type. Types without a list are imported by the names of their fields. */
export interface ImportNames<Name extends string = never> {
  /**
   * Field → names of its column, best first. A field's own name and aliases come before all of
   * them, unless a list contains the field itself. The order of fields determines which one gets a
   * column that fits two. Columns of email addresses, phone numbers and social profiles are
   * recognized by the words in their names instead.
   */
  readonly columns?: Readonly<Record<string, readonly string[]>>;
  /** Prefixes of column names: "Deal Name", "Ticket Status". */
  readonly prefixes?: readonly string[];
  /**
   * Field → value → other names for it. Contains only unambiguous names and the default stages of
   * the two largest CRMs. All other values are kept in the record.
   */
  readonly values?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** Fields from which a record without a name gets its name, best first. */
  readonly namedBy?: readonly string[];
  /** Names of columns that refer to a record of the type. */
  readonly references?: readonly string[];
  /**
   * Names of columns that refer to the subject, with the types of the records, best first. The
   * first entry that fits wins.
   */
  readonly subjects?: readonly {
    readonly types: readonly Name[];
    readonly hasOthers?: true;
    readonly names: readonly string[];
  }[];
}

/** Names without case, spaces and punctuation. */
export const names = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Returns the names that exports use for columns that refer to one of these, ids before names. */
export const references = (text: string, endings: string): readonly string[] =>
  names(endings).flatMap((ending) => names(text).map((name) => name + ending.replace("-", "")));

export const ID_ENDINGS = "-id -ids -recordid -nameid -uuid";
export const DOMAIN_ENDINGS = "-domain -domainname -website -url";
export const NAME_ENDINGS = "-name - -title";
