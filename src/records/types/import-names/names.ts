/** The names of columns and values in files from other systems. */

/** The names for a record type. Without a list for a field, only the field's own name is recognized. */
export interface ImportNames<Name extends string = never> {
  /**
   * Field → names of its column, best first. A field's own name and aliases come first unless the list contains the
   * field's name. If a column fits two fields, the first one gets it. Columns of email addresses, phone numbers and
   * social profiles are not listed, because they are recognized by the words in their names.
   */
  readonly columns?: Readonly<Record<string, readonly string[]>>;
  /** Prefixes of column names, as in "Deal Name" and "Ticket Status". */
  readonly prefixes?: readonly string[];
  /**
   * Field → value → other names for the value. Contains only unambiguous names and the default stages of the two
   * largest CRMs. Other values are kept in the record.
   */
  readonly values?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** The fields whose values can serve as the name of a record without one, best first. */
  readonly namedBy?: readonly string[];
  /** Names of columns that refer to records of this type. */
  readonly references?: readonly string[];
  /**
   * Names of columns that refer to the subject, with the possible record types, best first. The first entry that
   * matches is used.
   */
  readonly subjects?: readonly {
    readonly types: readonly Name[];
    readonly hasOthers?: true;
    readonly names: readonly string[];
  }[];
}

/** Splits a text into names. Names are in lowercase, without spaces and punctuation. */
export const names = (text: string): readonly string[] => text.trim().split(/\s+/);

/**
 * Returns the column names that exports use for references to these objects. Columns with ids come before columns with
 * names.
 */
export const references = (text: string, endings: string): readonly string[] =>
  names(endings).flatMap((ending) => names(text).map((name) => name + ending.replace("-", "")));

export const ID_ENDINGS = "-id -ids -recordid -nameid -uuid";
export const DOMAIN_ENDINGS = "-domain -domainname -website -url";
export const NAME_ENDINGS = "-name - -title";
