/**
 * Compares the bare server with PostgreSQL alone: runs the bare server's statements alternately through it and through
 * pgbench, and compares the processor time of the database. Needs pgbench (Debian: `apt-get install
 * postgresql-contrib`).
 */

import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openArena, type Arena } from "../compare/arena.ts";
import { CREATE, FIND, LIST, LOOK_UP, UPDATE } from "../compare/bare-statements.ts";
import { headText, publish, rowText } from "../compare/results.ts";
import { filled } from "../loads/fill.ts";
import { leadAt } from "../loads/leads.ts";
import { loop } from "../loads/loop.ts";
import { groundOf, loadOf, STATUSES, type Ground } from "../loads/requests.ts";
import { FILLED_OPTIONS, isDefault, numberOf, placeOf, type Benchmark } from "../options.ts";
import { cpuMeterOf, type Cpu } from "../service/cpu.ts";
import { machineOf } from "../service/machine.ts";
import { clientOf } from "../service/service.ts";
import { median } from "../statistics.ts";

const ROUNDS = 3;
const CONNECTIONS = 10;
/**
 * If the database uses at most this many times as much processor time with the bare server as with pgbench, the bare
 * server counts as the limit of its stack.
 */
const BAR = 1.1;
/** The number of scripts, each with its own values. pgbench accepts at most 128. */
const SCRIPTS = 120;

type Values = (at: number) => readonly (string | number | null)[];

interface Measured {
  readonly rate: number;
  readonly database_us: number;
}

/** Compares all statements. Returns a row of the table for each, and its ratio. */
async function compareAll(all: Arena, rows: number, for_s: number) {
  const whole = await groundOf(all.service, all.database, { rows, ...all });
  // Both the bare server and pgbench update the same leads. pgbench has a script for each lead.
  const ground = { ...whole, ids: whole.ids.slice(0, SCRIPTS) };
  const cpu = await cpuMeterOf(all.service);
  const results: { readonly row: string; readonly ratio: number }[] = [];
  const client = clientOf(all.service);
  const { leads } = JSON.parse((await client.get("/crm/leads")).body) as { leads: object[] };
  client.close();
  // The body of a stored lead is a template for new leads.
  for (const [name, text, values] of statementsOf(ground, JSON.stringify(leads[0]))) {
    await all.tidy();
    const scripts = scriptsOf(text, (at) => [all.tenantId, ...values(at)]);
    const bare: Measured[] = [];
    const alone: Measured[] = [];
    const arm = all.bareArm(loadOf(name).beside(ground));
    await loop(arm, { connections: CONNECTIONS, for_s: 1 });
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const turn = await loop(arm, { connections: CONNECTIONS, for_s });
        bare.push({ rate: turn.rate, database_us: turn.cpu.database_us });
        const pace = { rate: turn.rate, for_s };
        alone.push(await pgbench(all.service.databaseUrl, scripts, cpu, pace));
      }
    } finally {
      rmSync(scripts, { recursive: true });
    }
    const ratio = median(bare.map((one, at) => one.database_us / (alone[at]?.database_us ?? 0)));
    const row = rowText([name, ratio.toFixed(2), textOf(bare), textOf(alone)]);
    console.log(row);
    results.push({ row, ratio });
  }
  return results;
}

const textOf = (turns: readonly Measured[]): string => {
  const of = (key: keyof Measured) => median(turns.map((turn) => turn[key])).toFixed(0);
  return `${of("rate")}/s · ${of("database_us")} µs`;
};

const emailAt = (at: number): string => String(leadAt(at * 97)["email"]).toLowerCase();

/** Returns the first parameters of a write, which describe its change. */
const change = (action: string, fields: object) =>
  ["{id}", action, JSON.stringify(fields)] as const;

function statementsOf(
  { ids }: Ground,
  body: string,
): readonly (readonly [string, string, Values])[] {
  const now_s = Math.floor(Date.now() / 1000);
  const created = Object.fromEntries(
    Object.entries(leadAt(1)).map(([field, value]) => [field, [null, value]]),
  );
  const createOf: Values = (at) => {
    const { name, status, source, employer_name, profession, title, tags, email, phone } = leadAt(
      at,
    ) as Record<string, string>;
    const columns = [status, source, name, employer_name, profession, title].map(
      (value) => value ?? null,
    );
    const lists = [tags ?? [], [email], [phone]].map((list) => `{${[list].flat().join(",")}}`);
    return [...change("created", created), "{id}", body, ...columns, ...lists, now_s];
  };
  const updateOf: Values = (at) => {
    const status = STATUSES[at % STATUSES.length] ?? null;
    const changed = change("updated", { status: ["open", status] });
    return [...changed, ids[at] ?? null, status, now_s];
  };
  return [
    ["W1", LIST, (at) => [STATUSES[at % STATUSES.length] ?? null]],
    ["W10", FIND, (at) => [emailAt(at)]],
    ["W6", LOOK_UP, (at) => [emailAt(at)]],
    ["W4", CREATE, createOf],
    ["W5", UPDATE, updateOf],
  ];
}

/** Creates a folder of scripts for this statement. `{id}` becomes a random id for each run. */
function scriptsOf(text: string, values: Values): string {
  const folder = mkdtempSync(join(tmpdir(), "leadport-limit-"));
  for (let at = 0; at < SCRIPTS; at++) {
    const given = values(at);
    const statement = text.replaceAll(/\$(\d+)/g, (_, place: string) => {
      const value = given[Number(place) - 1] ?? null;
      if (value === "{id}") return "(:id)::text";
      if (typeof value === "string") return literal(value);
      return String(value);
    });
    const id = randomBytes(6).toString("hex");
    const drawn = `\\set drawn random(100000000000, 999999999999)\n`;
    writeFileSync(
      join(folder, `${at}.sql`),
      `${drawn}${statement
        .trim()
        .replaceAll("(:id)", `('${id}' || (:drawn)::text)`)
        .replaceAll(/\s*\n\s*/g, " ")};\n`,
    );
  }
  return folder;
}

/** pgbench interprets a colon before a word as a variable, even within quotes. */
const literal = (value: string): string =>
  `'${value.replaceAll("'", "''").replaceAll(/:(?=\w)/g, ": ")}'`;

const run = promisify(execFile);

/**
 * Runs pgbench for some seconds, at most at the bare server's rate. Returns its rate and the database's processor time
 * per statement. Without the cap, the next statement would always be waiting, so the database's processes would never
 * spend the 20 µs that it takes to go to sleep and wake up.
 */
async function pgbench(
  url: string,
  folder: string,
  cpu: () => Cpu,
  { rate, for_s }: { readonly rate: number; readonly for_s: number },
): Promise<Measured> {
  const files = Array.from({ length: SCRIPTS }, (_, at) => ["-f", join(folder, `${at}.sql`)]);
  const asked = ["-c", CONNECTIONS, "-T", for_s, "-R", Math.round(rate)].map(String);
  const before = cpu();
  const { stdout } = await run(
    "pgbench",
    ["-n", "-M", "prepared", ...asked, ...files.flat(), url],
    { env: { ...process.env, PGOPTIONS: "-c plan_cache_mode=force_generic_plan" }, maxBuffer: 1e8 },
  );
  const used_ms = cpu().database_ms - before.database_ms;
  const done = Number(/transactions actually processed: (\d+)/.exec(stdout)?.[1]);
  const reached = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
  if (!(done > 0)) throw new Error(`pgbench did nothing: ${stdout}`);
  return { rate: reached, database_us: (1000 * used_ms) / done };
}

export const limit: Benchmark = {
  does: "CPU time of the bare server's statements, compared with pgbench",
  options: {
    ...FILLED_OPTIONS,
    seconds: { value: "<number>", fallback: "10", doc: "Duration of each of the 3 rounds." },
  },
  run: async (values) => {
    const { rows, dataDir } = placeOf(values);
    const for_s = numberOf(values, "seconds");
    await filled(dataDir, rows);
    const arena = await openArena(dataDir);
    try {
      const machine = await machineOf(arena.service);
      const head = headText(
        "workload",
        "CPU time, bare server ÷ pgbench",
        "bare server",
        "pgbench",
      );
      console.log(`${machine}.\n\n${head}`);
      const results = await compareAll(arena, rows, for_s);
      const table = [head, ...results.map(({ row }) => row)].join("\n");
      if (isDefault(limit.options, values)) publish("npm run bench -- limit", machine, table);
      return results.every(({ ratio }) => ratio <= BAR);
    } finally {
      await arena.stop();
    }
  },
};
