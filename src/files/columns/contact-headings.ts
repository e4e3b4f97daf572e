/**
 * Columns of email addresses and phone numbers. Exports name them in too many ways to list, so they
 * are recognized by their words: "Person - Email - Work", `emails.primaryEmail`, "Phone 2", "Mobile".
 */

/** What a column of addresses or numbers holds. */
export interface ContactColumn {
  readonly field: "email" | "phone";
  /** The lowest is the record's main address or number. */
  readonly rank: number;
  /** What an entry of the record's list is called if it is not the main one. */
  readonly type: string;
  /** Whether the column belongs to a company. */
  readonly isCompany: boolean;
  /** Whether its name could also be that of a postal address: "Mail Address". */
  readonly isMaybePostal: boolean;
}

const EMAIL_WORDS = ["emailaddresses", "emailaddress", "emails", "email", "mails", "mail"];
const PHONE_WORDS = [
  "contactnumber",
  "contactno",
  "telephone",
  "telefon",
  "phones",
  "phone",
  "tel",
  "mobiles",
  "mobile",
  "mobil",
  "cellular",
  "cell",
  "handy",
  "whatsapp",
  "landline",
];
const COMPANY_WORDS = ["company", "organization", "organisation", "account", "corporate", "hq"];

/** Words next to them, with the type they name and how far they move a column back. */
const QUALIFIERS: Readonly<Record<string, { readonly type?: string; readonly rank: number }>> = {
  ...group(
    [
      "address",
      "addresses",
      "ids",
      "id",
      "values",
      "value",
      "numbers",
      "number",
      "no",
      "num",
      "nr",
    ],
    {
      rank: 0,
    },
  ),
  ...group(["primary", "main", "default", "preferred"], { rank: -8 }),
  ...group(["work", "business", "office", "professional", "direct", "dial"], {
    type: "Work",
    rank: 1,
  }),
  ...group(
    ["contact", "associated", "person", "people", "lead", "client", "customer", "prospect"],
    { rank: 2 },
  ),
  ...group(COMPANY_WORDS, { type: "Company", rank: 60 }),
  ...group(["billing", "invoice", "general"], { type: "Other", rank: 60 }),
  ...group(["home", "personal", "private"], { type: "Home", rank: 40 }),
  ...group(["other", "alternate", "alternative", "alt", "secondary", "second", "backup"], {
    type: "Other",
    rank: 50,
  }),
  ...group(["additional", "extra"], { type: "Other", rank: 70 }),
};

function group<T>(words: readonly string[], meaning: T): Readonly<Record<string, T>> {
  return Object.fromEntries(words.map((word) => [word, meaning]));
}

const MOBILE_WORDS = ["mobiles", "mobile", "mobil", "cellular", "cell", "handy"];

const longestFirst = (words: readonly string[]) =>
  words.toSorted((a, b) => b.length - a.length).join("|");

/** One word of such a column, or the number that tells several apart. */
const WORD = new RegExp(
  `${longestFirst([...EMAIL_WORDS, ...PHONE_WORDS, ...Object.keys(QUALIFIERS)])}|\\d{1,2}`,
  "y",
);

/** No column of addresses or numbers has a longer name. */
const NAME_CHARACTERS = 60;

/**
 * What a column of this name holds; undefined if any of its words is not one of such a column, as in
 * "Email Opt Out" and "Phone 1 - Type". `name` has no case, spaces or punctuation.
 */
export function contactColumn(name: string): ContactColumn | undefined {
  const words = wordsOf(name);
  if (words === undefined) return undefined;
  const isPhone = words.some((word) => PHONE_WORDS.includes(word));
  if (!isPhone && !words.some((word) => EMAIL_WORDS.includes(word))) return undefined;
  const isMaybePostal = !isPhone && !words.some((word) => word.startsWith("email"));
  // "Direct Mail" is advertising.
  if (isMaybePostal && words.includes("direct")) return undefined;
  const meanings = words.flatMap((word) => QUALIFIERS[word] ?? []);
  const digits = Number(words.find((word) => /^\d/.test(word)) ?? "1");
  const isMobile = words.some((word) => MOBILE_WORDS.includes(word));
  const isWhatsApp = words.includes("whatsapp");
  const named = isWhatsApp ? "WhatsApp" : isMobile ? "Mobile" : undefined;
  const rank = meanings.reduce((sum, meaning) => sum + meaning.rank, 10);
  return {
    field: isPhone ? "phone" : "email",
    rank: rank + (digits - 1) * 5 + (isWhatsApp ? 30 : isMobile ? 20 : 0),
    type: named ?? meanings.find(({ type }) => type !== undefined)?.type ?? "Other",
    isCompany: words.some((word) => COMPANY_WORDS.includes(word)),
    isMaybePostal,
  };
}

/** The known words that a name consists of. */
function wordsOf(name: string): readonly string[] | undefined {
  if (name.length > NAME_CHARACTERS) return undefined;
  const words: string[] = [];
  for (let at = 0; at < name.length; at += words.at(-1)?.length ?? 1) {
    WORD.lastIndex = at;
    const [word] = WORD.exec(name) ?? [];
    if (word === undefined) return undefined;
    words.push(word);
  }
  return words;
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

/** The social network whose profiles a column of this name holds. */
export function socialPlatform(name: string): string | undefined {
  const [, platform] = (name.length <= NAME_CHARACTERS && SOCIAL_COLUMN.exec(name)) || [];
  return platform === undefined ? undefined : PLATFORMS[platform];
}
