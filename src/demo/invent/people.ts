/** Generates fictional people of many cultures, with reserved email addresses and phone numbers. */

import type { Dice, Weighted } from "./dice.ts";

/** The country where people with names from a culture usually live. */
type Country = "US" | "GB" | "DE" | "FR" | "SE" | "AU";

/** The given names and family names of one culture. */
interface Culture {
  readonly given: string;
  readonly family: string;
  /** Whether the family name is written first and without a space after it. */
  readonly isFamilyFirst?: true;
  readonly abroad?: Country;
}

const CULTURES: Weighted<Culture> = [
  [
    {
      given:
        "Emily James Olivia Marcus Grace Tyler Hannah Derek Abigail Wesley Nora Caleb Ruth Owen Paige",
      family:
        "Whitaker Hollis Brennan Caldwell Pruitt Langley Mercer Ashford Tillman Radcliffe Boone Garrison",
    },
    22,
  ],
  [
    {
      given: "María José Lucía Diego Camila Andrés Valeria Rafael Ximena Joaquín Elena Mateo",
      family: "Hernández Castillo Ibarra Quintero Salazar Núñez Villalobos Ochoa Peña Zambrano",
    },
    14,
  ],
  [
    {
      given: "Denise Terrence Aaliyah Malik Jasmine Darnell Imani Reggie Tanisha Isaiah",
      family: "Broussard Freeman Gaines Holloway Jefferson Batiste Merriweather Tolliver",
    },
    9,
  ],
  [
    {
      given: "Priya Arjun Ananya Rohan Meera Vikram Kavya Sanjay Lakshmi Nikhil",
      family: "Raghunathan Banerjee Deshpande Iyer Kulkarni Chaudhary Pillai Venkatesan",
    },
    8,
  ],
  [
    {
      given: "Mei Jun Xiaoling Haoran Lin Yifan Qing Zihan",
      family: "Zhao Huang Lau Cheung Xiao Tang Fung Deng",
    },
    7,
  ],
  [
    {
      given: "Linh Minh Thảo Quang Hương Đức Trang Khánh",
      family: "Nguyễn Trần Phạm Võ Đặng Bùi",
    },
    4,
  ],
  [
    {
      given: "Ji-woo Min-jun Seo-yeon Hyun-woo Eun-ji Tae-yang",
      family: "Kwon Bae Shim Noh Jung Yoon",
    },
    4,
  ],
  [
    {
      given: "Chiamaka Emeka Ngozi Tunde Folake Obinna Amara Kwame Abena Kofi",
      family: "Okonkwo Adeyemi Eze Balogun Nwosu Mensah Boateng Asante",
    },
    5,
  ],
  [
    {
      given: "Layla Omar Yasmin Khalid Nour Tariq Amina Hassan",
      family: "Haddad Mansour Al-Rashid Khoury Benali Saleh Farouk",
    },
    5,
  ],
  [
    {
      given: "Zofia Paweł Małgorzata Krzysztof Agnieszka Łukasz",
      family: "Wiśniewska Kowalczyk Zieliński Wójcik Dąbrowski",
    },
    3,
  ],
  [
    {
      given: "Olena Taras Iryna Bohdan Svitlana Andriy",
      family: "Shevchuk Kovalenko Bondarenko Tkachuk Melnyk",
    },
    3,
  ],
  [
    {
      given: "Anneliese Jürgen Käthe Matthias Ulrike Björn",
      family: "Grünwald Schäfer Böhm Köhler Weißenberg",
      abroad: "DE",
    },
    2,
  ],
  [
    {
      given: "Åsa Göran Linnéa Håkan Maja Östen",
      family: "Lindqvist Sjöberg Åkesson Nyström Bergström",
      abroad: "SE",
    },
    2,
  ],
  [
    {
      given: "Élodie François Amélie Benoît Chloé Gaël",
      family: "Lefèvre Dubois Girard Marchand Rousselet",
      abroad: "FR",
    },
    2,
  ],
  [
    {
      given: "Imogen Alistair Saoirse Callum Niamh Rhys",
      family: "Pemberton MacAllister O'Sullivan Penhaligon Llewellyn",
      abroad: "GB",
    },
    3,
  ],
  [
    {
      given: "Kirra Lachlan Tahlia Bronson",
      family: "Hargreaves Dunstan Cavanagh Waratah",
      abroad: "AU",
    },
    1,
  ],
  [
    { given: "美咲 健太 陽子 大輔 さくら", family: "高橋 渡辺 中村 小林 森", isFamilyFirst: true },
    1,
  ],
  [{ given: "Kalani Leilani Keoni Malia", family: "Kahananui Kealoha Mahoe Nakamura" }, 2],
];

/** Latin spellings of names that are written in other scripts. They are used in email addresses. */
const LATIN: Readonly<Record<string, string>> = {
  美咲: "misaki",
  健太: "kenta",
  陽子: "yoko",
  大輔: "daisuke",
  さくら: "sakura",
  高橋: "takahashi",
  渡辺: "watanabe",
  中村: "nakamura",
  小林: "kobayashi",
  森: "mori",
};

/** Replacements for letters that Unicode does not decompose into a Latin letter and a diacritic. */
const LETTERS: Readonly<Record<string, string>> = { ł: "l", đ: "d", ß: "ss", ø: "o", æ: "ae" };

/** Converts a string to a part of an email address: `Thảo Nguyễn` → `thao-nguyen`. */
export const slugOf = (text: string): string =>
  (LATIN[text] ?? text)
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[łđßøæ]/g, (letter) => LETTERS[letter] ?? "")
    .replaceAll(/['’.]/g, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");

/** A fictional person. */
export interface Invented {
  readonly name: string;
  readonly given: string;
  readonly family: string;
  /** The local part of an email address. */
  readonly mailbox: string;
  /** A phone number in a common format. Undefined if the person did not give one. */
  readonly phone: string | undefined;
  /** A private email address. Undefined if the person did not give one. */
  readonly email: string | undefined;
}

/** Domains that are reserved for documentation (RFC 2606). */
const MAIL_DOMAINS: Weighted<string> = [
  ["example.com", 6],
  ["example.org", 3],
  ["example.net", 2],
];

/** US area codes. In each of them, 555-0100 to 555-0199 are reserved for fictional use. */
const AREA_CODES =
  "201 203 206 212 214 215 216 301 303 305 310 312 313 315 317 401 404 407 410 412 413 414 415 419 440 " +
  "469 475 484 501 502 503 504 508 510 512 513 515 518 520 540 551 561 570 571 585 602 603 607 609 610 " +
  "614 615 617 619 628 631 646 651 657 678 702 703 704 713 716 718 720 732 757 773 774 781 801 802 804 " +
  "805 813 814 816 828 845 847 856 857 860 862 908 914 917 919 929 973 978 980 984";

const padded = (number: number, width: number): string => String(number).padStart(width, "0");

/** Generators of phone numbers that each country's regulator has reserved for fictional use. */
const FICTIONAL_NUMBERS: Readonly<Record<Country, (dice: Dice) => string>> = {
  US: (dice) => {
    const area = dice.pick(AREA_CODES.split(" "));
    const line = padded(dice.whole(100, 199), 4);
    return dice.happens(0.7) ? `(${area}) 555-${line}` : `+1 ${area} 555 ${line}`;
  },
  GB: (dice) =>
    dice.happens(0.5)
      ? `+44 7700 900${padded(dice.whole(0, 999), 3)}`
      : `+44 20 7946 0${padded(dice.whole(0, 999), 3)}`,
  DE: (dice) => `+49 30 23125 ${padded(dice.whole(0, 999), 3)}`,
  FR: (dice) => `+33 1 99 00 ${padded(dice.whole(0, 99), 2)} ${padded(dice.whole(0, 99), 2)}`,
  SE: (dice) => `+46 8 465 004 ${padded(dice.whole(0, 99), 2)}`,
  AU: (dice) => `+61 2 5550 ${padded(dice.whole(0, 9999), 4)}`,
};

/** Creates a generator of people with unique names, email addresses and phone numbers. */
export function createPeople(dice: Dice): () => Invented {
  const taken = new Set<string>();
  /**
   * Draws until the result is unique, but gives up after 20 retries. If there are very many people, two of them may
   * therefore get the same phone number.
   */
  const fresh = (draw: () => string): string => {
    for (let tries = 0; ; tries += 1) {
      const drawn = draw();
      if (taken.has(drawn) && tries < 20) continue;
      taken.add(drawn);
      return drawn;
    }
  };
  return () => {
    const { given: givens, family: families, ...culture } = dice.weighted(CULTURES);
    const given = dice.pick(givens.split(" "));
    const family = dice.pick(families.split(" "));
    const isFirst = culture.isFamilyFirst === true;
    const name = isFirst ? `${family}${given}` : `${given} ${family}`;
    const base = `${slugOf(given)}.${slugOf(family)}`;
    const mailbox = fresh(() => (taken.has(base) ? `${base}${dice.whole(2, 999)}` : base));
    const country = dice.happens(0.4) ? (culture.abroad ?? "US") : "US";
    const phone = fresh(() => FICTIONAL_NUMBERS[country](dice));
    const email = `${mailbox}@${dice.weighted(MAIL_DOMAINS)}`;
    const gives = dice.weighted([
      ["both", 76],
      ["email", 14],
      ["phone", 10],
    ]);
    return {
      name,
      given,
      family,
      mailbox,
      phone: gives === "email" ? undefined : phone,
      email: gives === "phone" ? undefined : email,
    };
  };
}
