/**
 * Recognizes columns of email addresses and phone numbers. Exports use too many names to list, so columns are
 * recognized by the words in their names: "Person - Email - Work", `emails.primaryEmail`, "Phone 2", "Mobile".
 */

/** The kind of addresses or numbers in a column. */
export interface ContactColumn {
  readonly field: "email" | "phone";
  /** The column with the lowest rank provides the record's main address or number. */
  readonly rank: number;
  /** The type of the entries from this column. A record's main entry always has the type Main. */
  readonly type: string;
  /** Whether the addresses or numbers are a company's. */
  readonly isCompany: boolean;
  /** Whether the name could also mean a postal address, such as "Mail Address". */
  readonly isMaybePostal: boolean;
}

const words = (text: string): readonly string[] => text.split(" ");

const EMAIL_WORDS = words("emailaddresses emailaddress emails email mails mail");
const MOBILE_WORDS = words("mobiles mobile mobil cellular cell handy");
const PHONE_WORDS = [
  ...words("contactnumber contactno telephone telefon phones phone tel whatsapp landline"),
  ...MOBILE_WORDS,
];

/** The meaning of an additional word in the name of a column of email addresses or phone numbers. */
interface Qualifier {
  /** How much the word adds to the column's rank. */
  readonly rank: number;
  /** The entry type that the word indicates. */
  readonly type?: string;
}

const QUALIFIERS: ReadonlyMap<string, Qualifier> = qualifiers([
  ["address addresses ids id values value numbers number no num nr", { rank: 0 }],
  ["primary main default preferred", { rank: -8 }],
  ["work business office professional direct dial", { rank: 1, type: "Work" }],
  ["contact associated person people lead client customer prospect", { rank: 2 }],
  ["company organization organisation account corporate hq", { rank: 60, type: "Company" }],
  ["billing invoice general", { rank: 60, type: "Other" }],
  ["home personal private", { rank: 40, type: "Home" }],
  ["other alternate alternative alt secondary second backup", { rank: 50, type: "Other" }],
  ["additional extra", { rank: 70, type: "Other" }],
]);

function qualifiers(rows: readonly (readonly [text: string, meaning: Qualifier])[]) {
  return new Map(rows.flatMap(([text, meaning]) => words(text).map((word) => [word, meaning])));
}

const longestFirst = (words: readonly string[]) =>
  words.toSorted((a, b) => b.length - a.length).join("|");

/**
 * Matches a number, as in "Email 2", or a word that can occur in the name of a column of email addresses or phone
 * numbers.
 */
const WORD = new RegExp(
  `${longestFirst([...EMAIL_WORDS, ...PHONE_WORDS, ...QUALIFIERS.keys()])}|\\d{1,2}`,
  "y",
);

/** Column names longer than this are not recognized. */
const NAME_CHARACTERS = 60;

/**
 * Returns the kind of contact column that a name describes. Returns undefined if a word does not belong in the name of
 * such a column, as in "Email Opt Out" and "Phone 1 - Type". `name` must be lowercase, without spaces and punctuation.
 */
export function contactColumn(name: string): ContactColumn | undefined {
  const known = wordsOf(name);
  if (known === undefined) return undefined;
  const isPhone = known.some((word) => PHONE_WORDS.includes(word));
  if (!isPhone && !known.some((word) => EMAIL_WORDS.includes(word))) return undefined;
  const isMaybePostal = !isPhone && !known.some((word) => word.startsWith("email"));
  // "Direct Mail" refers to advertising, not to a postal address.
  if (isMaybePostal && known.includes("direct")) return undefined;
  const meanings = known.flatMap((word) => QUALIFIERS.get(word) ?? []);
  const digits = Number(known.find((word) => /^\d/.test(word)) ?? "1");
  const isMobile = known.some((word) => MOBILE_WORDS.includes(word));
  const isWhatsApp = known.includes("whatsapp");
  const named = isWhatsApp ? "WhatsApp" : isMobile ? "Mobile" : undefined;
  const rank = meanings.reduce((sum, meaning) => sum + meaning.rank, 10);
  return {
    field: isPhone ? "phone" : "email",
    rank: rank + (digits - 1) * 5 + (isWhatsApp ? 30 : isMobile ? 20 : 0),
    type: named ?? meanings.find(({ type }) => type !== undefined)?.type ?? "Other",
    isCompany: meanings.some(({ type }) => type === "Company"),
    isMaybePostal,
  };
}

/** Splits a name into known words. Returns undefined if that is not possible. */
function wordsOf(name: string): readonly string[] | undefined {
  if (name.length > NAME_CHARACTERS) return undefined;
  const found: string[] = [];
  for (let at = 0; at < name.length; at += found.at(-1)?.length ?? 1) {
    WORD.lastIndex = at;
    const [word] = WORD.exec(name) ?? [];
    if (word === undefined) return undefined;
    found.push(word);
  }
  return found;
}

const PLATFORMS: Readonly<Record<string, string>> = {
  linkedin: "LinkedIn",
  twitter: "Twitter",
  facebook: "Facebook",
  instagram: "Instagram",
  youtube: "YouTube",
  github: "GitHub",
  tiktok: "TikTok",
  xing: "Xing",
  skype: "Skype",
};

const SOCIAL_COLUMN = new RegExp(
  "^(?:person|contact|lead|company|organization|account|social)?" +
    `(${Object.keys(PLATFORMS).join("|")})` +
    "(?:company|url|link|profile|page|primary|username|user|handle|name|account|id)*$",
);

/** Returns the social network whose profiles a column with this name contains, or undefined if there is none. */
export function socialPlatform(name: string): string | undefined {
  const [, platform] = (name.length <= NAME_CHARACTERS && SOCIAL_COLUMN.exec(name)) || [];
  return platform === undefined ? undefined : PLATFORMS[platform];
}
