/** The names of columns and values in files from other systems. */

/** The names for a record type. Without a list of columns, only field names are recognized. */
export interface ImportNames<Name extends string = never> {
  /**
   * Field → names of its column, best first. A field's own name and aliases take precedence unless the list contains
   * the field's name. If a column matches two fields, the first field gets it. Columns of email addresses, phone
   * numbers and social profiles are recognized by the words in their names instead.
   */
  readonly columns?: Readonly<Record<string, readonly string[]>>;
  /** Prefixes of column names, as in "Deal Name" and "Ticket Status". */
  readonly prefixes?: readonly string[];
  /**
   * Field → value → other names for the value. Contains only unambiguous names and the default stages of the two
   * largest CRMs. Other values are retained in the record.
   */
  readonly values?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** Fields that can provide the name of a record without one, best first. */
  readonly namedBy?: readonly string[];
  /** Names of columns that refer to records of this type. */
  readonly references?: readonly string[];
  /**
   * Names of columns that refer to the subject, with the possible record types, best first. The first matching entry is
   * used.
   */
  readonly subjects?: readonly {
    readonly types: readonly Name[];
    readonly hasOthers?: true;
    readonly names: readonly string[];
  }[];
}

/** Splits a text into names. Names are written in lower case, without spaces and punctuation. */
export const names = (text: string): readonly string[] => text.trim().split(/\s+/);

/**
 * Returns the names that exports use for columns that refer to these objects. Columns with ids come before columns with
 * names.
 */
export const references = (text: string, endings: string): readonly string[] =>
  names(endings).flatMap((ending) => names(text).map((name) => name + ending.replace("-", "")));

export const ID_ENDINGS = "-id -ids -recordid -nameid -uuid";
export const DOMAIN_ENDINGS = "-domain -domainname -website -url";
export const NAME_ENDINGS = "-name - -title";
