/**
 * Measures how many guesses an account accepts per day from an attacker who never pauses: from one
 * IPv6 /48 with 65,536 networks, and from 30 IPv4 addresses. Uses the real limits on a real
 * database, with an injected clock. Only the password check is replaced by a comparison, which
 * saves hours. docs/people.md states the same figures.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { URI, type TOTP } from "otpauth";
import pino from "pino";
import { createRefusals } from "../../src/limits/index.ts";
import { enterCode } from "../../src/exchange/partners/token-exchange.ts";
import { mailReset } from "../../src/people/forgotten.ts";
import { createPasswords } from "../../src/people/credentials/passwords.ts";
import { signIn } from "../../src/people/sign-in.ts";
import { followLink } from "../../src/people/use-link.ts";
import { AppError } from "../../src/platform/errors/errors.ts";
import { idSource } from "../../src/platform/ids/ids.ts";
import { createSealer } from "../../src/platform/secrets/sealing.ts";
import { fileApi } from "../kit/file-api.ts";
import { ok } from "../api/samples.ts";
import { makePartner } from "../exchange/partner-kit.ts";
import { randomFrom } from "../kit/random.ts";
import { createInbox, ownerOf, PASSWORD } from "./people-kit.ts";
import { atEnd, file, openPools } from "../kit/started.ts";
import type { MasterKey } from "../../src/platform/secrets/index.ts";

const STEP_s = 300;
const DAY_s = 86_400;

let at_ms = Date.now();
const clock = { now_ms: () => at_ms };
const keys: MasterKey = { all: [Buffer.alloc(32, 7)] };
const { inbox, mailer } = createInbox();
const api = await fileApi({ clock, keys });
const db = openPools(file, { url: api.databaseUrl, connections: 2, listTimeout_ms: 10_000 });
const running: Promise<unknown>[] = [];
const log = pino({ level: "silent" });
const makeId = idSource(clock);
const refusals = createRefusals({ sql: db.sql, makeId, log });
atEnd(file, () => refusals.close());
const deps = {
  sql: db.sql,
  clock,
  makeId,
  refusals,
  sealer: createSealer(keys),
  mailer,
  baseOf: () => "https://crm.example.com",
  later: (work: () => Promise<unknown>) => void running.push(work()),
  passwords: createPasswords({
    hash: async (password) => password,
    verify: async (_stored, password) => password === PASSWORD,
  }),
};

/** Returns the parts of a request that the limits use. */
const requestFrom = (ip: string) =>
  ({ ip, id: "simulation", headers: {}, raw: { socket: { destroyed: false } } }) as never;

/** An attacker, and the addresses from which it guesses in one step. */
interface Attacker {
  readonly name: string;
  readonly addresses: () => Iterable<string>;
}

const chance = randomFrom(48);
const random = (below: number): number => Math.floor(chance() * below);

const ATTACKERS: readonly Attacker[] = [
  {
    name: "one /48",
    // Alternates between half of the networks in one /56 and half of all networks, so that each
    // step exhausts the limits of both.
    *addresses() {
      for (let at = 0; at < 100; at++) {
        const network = at % 2 === 0 ? random(0x100) : random(0x10000);
        yield `2001:db8:77:${network.toString(16)}::${random(0x10000).toString(16)}`;
      }
    },
  },
  {
    name: "30 IPv4 addresses",
    *addresses() {
      for (let at = 1; at <= 30; at++)
        for (let guess = 0; guess < 6; guess++) yield `192.0.2.${at}`;
    },
  },
];

/** Whether a guess was checked, rather than rejected by a limit, a pause or a missing link. */
async function isAnswered(guess: Promise<unknown>): Promise<boolean> {
  try {
    await guess;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if ([403, 404, 429].includes(error.status)) return false;
    assert.equal(error.status, 401, error.message);
    return true;
  }
  return assert.fail("A guess was right");
}

/** Guesses for a day. Returns the number of guesses that were checked. */
async function guessForADay(
  { addresses }: Attacker,
  guess: (from: string) => Promise<unknown>,
): Promise<number> {
  let answered = 0;
  for (let passed_s = 0; passed_s < DAY_s; passed_s += STEP_s) {
    const refused = new Map<string, number>();
    for (const from of addresses()) {
      // One rejection is enough to give up on an IPv4 address in this step. A /48 is given up after
      // twenty consecutive rejections.
      const key = from.includes(":") ? "" : from;
      if ((refused.get(key) ?? 0) >= (key === "" ? 20 : 1)) continue;
      const wasAnswered = await isAnswered(guess(from));
      refused.set(key, wasAnswered ? 0 : (refused.get(key) ?? 0) + 1);
      if (wasAnswered) answered += 1;
    }
    at_ms += STEP_s * 1000;
  }
  return answered;
}

let targets = 0;

/** Returns a user with a second factor, in a separate tenant. */
async function createTarget(): Promise<string> {
  const client = await api.tenant();
  const email = `target${++targets}@example.com`;
  const page = await ownerOf(api, client, email);
  const { uri } = ok(await page.post("/auth/second_factor", { password: PASSWORD })).body;
  const code = (URI.parse(uri as string) as TOTP).generate({ timestamp: at_ms });
  ok(await page.post("/auth/second_factor/confirm", { code }));
  return email;
}

/** Create all users before the clock advances. Otherwise, their sessions would expire. */
const emails: string[] = [];
for (let at = 0; at < 6; at++) emails.push(await createTarget());
const partners: string[] = [];
for (let at = 0; at < 2; at++) {
  partners.push((await makePartner(await api.tenant())).partner_id as string);
}

/** Requests an email as the attacker and returns its link, or "" if none is sent. */
async function mailedLink(email: string, from: string): Promise<string> {
  await mailReset(deps, email, requestFrom(from)).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.status !== 429) throw error;
  });
  await Promise.all(running.splice(0));
  const texts = inbox.splice(0).map(({ text }) => /\/link#(\w{40})/.exec(text)?.[1] ?? "");
  return texts.at(-1) ?? "";
}

const KINDS: Readonly<Record<string, (attacker: Attacker) => Promise<number>>> = {
  password: async (attacker) => {
    const email = emails.pop() ?? "";
    return guessForADay(attacker, (from) =>
      signIn(deps, { email, password: "wrong" }, requestFrom(from)),
    );
  },
  "second factor": async (attacker) => {
    const email = emails.pop() ?? "";
    return guessForADay(attacker, (from) =>
      signIn(deps, { email, password: PASSWORD, code: "00000x" }, requestFrom(from)),
    );
  },
  "second factor, with links from the user's mailbox": async (attacker) => {
    const email = emails.pop() ?? "";
    const code = "00000x";
    let isPausedForGood = false;
    let token = "";
    return guessForADay(attacker, async (from) => {
      const request = requestFrom(from);
      if (!isPausedForGood) {
        return signIn(deps, { email, password: PASSWORD, code }, request).catch((error) => {
          isPausedForGood = (error as AppError).code === "second_factor_needs_link";
          throw error;
        });
      }
      if (token === "") token = await mailedLink(email, from);
      return followLink(deps, { token, password: "a password that is new", code }, request).catch(
        (error) => {
          if ((error as AppError).status === 404) token = "";
          throw error;
        },
      );
    });
  },
  "partner's access code": async (attacker) => {
    const partner_id = partners.pop() ?? "";
    return guessForADay(attacker, (from) =>
      enterCode(deps, { partner_id, access_code: "wrong" }, requestFrom(from)),
    );
  },
};

/** The number of guesses checked per account and day. */
const EXPECTED: Readonly<Record<string, readonly [v6: number, v4: number]>> = {
  password: [1920, 14_400],
  "second factor": [50, 50],
  "second factor, with links from the user's mailbox": [150, 150],
  "partner's access code": [1920, 14_400],
};

test("the figures in the documentation match those checked here", () => {
  const page = readFileSync(new URL("../../docs/people.md", import.meta.url), "utf8");
  for (const [kind, figures] of Object.entries(EXPECTED)) {
    const cells = figures.map((figure) => figure.toLocaleString("en-US"));
    assert.ok(page.includes(`| ${kind} | ${cells.join(" | ")} |`), kind);
  }
});

/** Ends a test that hangs. Up to 14,400 guesses follow each other, which takes many times longer on a busy machine. */
const HUNG = { timeout: 30 * 60_000 };

for (const [kind, simulate] of Object.entries(KINDS)) {
  for (const [which, attacker] of ATTACKERS.entries()) {
    test(`guesses at a ${kind} from ${attacker.name}`, HUNG, async (t) => {
      const answered = await simulate(attacker);
      t.diagnostic(`${answered} guesses checked per account and day`);
      assert.equal(answered, EXPECTED[kind]?.[which]);
    });
  }
}
