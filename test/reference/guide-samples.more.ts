/**
 * Every sample in the README and the guides: commands are run as shown against a service that `npm
 * start` starts, and must print what the page shows. guide-samples.ts lists the samples that
 * another test runs or that cannot run here.
 */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ok } from "../api/samples.ts";
import { GROUNDS, type Ground } from "../conformance/example-grounds.ts";
import { partnerOf } from "../exchange/partner-kit.ts";
import { Client } from "../kit/api.ts";
import { startService } from "../reliability/service.ts";
import {
  type Block,
  blocksOf,
  ELSEWHERE,
  GUIDE_FILES,
  listedFor,
  missingFrom,
  NOT_RUN,
  PRODUCED,
  ROOT,
} from "./guide-samples.ts";
import { file, openSession, temporaryFolder } from "../kit/started.ts";

const END = "=== end of block ===";

/**
 * Records the status of each request. While a stream is open, makes a change, and closes the stream
 * once the change has arrived. On the page about the partner exchange, a second partner also pushes
 * the person that the page's commands push.
 */
const PRELUDE = `
curl() {
  case " $* " in
    *" -N "*)
      local out; out=$(mktemp)
      command curl "$@" > "$out" & local pid=$!
      for try in $(seq 2400); do grep -q "event: cursor" "$out" && break; sleep 0.05; done
      eval "$CHANGE" > /dev/null
      for try in $(seq 2400); do grep -q "^data: {" "$out" && break; sleep 0.05; done
      kill $pid; wait $pid 2> /dev/null; cat "$out"; rm "$out";;
    *) command curl --max-time 60 -w '%{stderr}\\n@@ %{http_code} %{method} %{url}\\n' "$@";;
  esac
}
pier_pushes() { command curl -sS -H "Authorization: Partner $PIER_TOKEN" -H 'Content-Type: application/json' $LEADPORT/crm/partner/push -d "$1"; }
pushed_by() {
  command curl -sS -H "Authorization: Bearer $TOKEN" "$LEADPORT/crm/admin/pushed_leads" |
    grep -oE '"id":"[0-9a-f]{24}","partner_id":"[0-9a-f]{24}","partner_name":"'"$1"'","name":"Ines Falk"' | head -1 | cut -c7-30
}
ines() { pushed_by "Harbour Referrals"; }
pier() {
  [ -n "$(pushed_by "Pier Nine")" ] || pier_pushes '{"name": "Ines Falk", "phone": "212.555.0143"}' > /dev/null
  pushed_by "Pier Nine"
}
npm() { command npm "$@"; local code=$?; echo "@@ $code $5 $6" >&2; return $code; }
`;

/** The variables that the tour defines for all pages. */
const TOUR = blocksOf("docs/tour.md")[0]?.text ?? "";

const isCommands = ({ language }: Block): boolean => language === "sh";

const run = (script: string, env: Readonly<Record<string, string>>) =>
  new Promise<{ readonly out: string; readonly err: string }>((resolve) => {
    const { PATH = "" } = process.env;
    const options = { cwd: ROOT, env: { PATH, HOME: "/tmp", ...env }, maxBuffer: 64 << 20 };
    execFile("bash", ["-c", script], options, (_error, out, err) => resolve({ out, err }));
  });

const create = async (client: Client, path: string, body: object): Promise<string> => {
  const { _id, id = _id } = ok(await client.post(path, body)).body;
  return id;
};

const MARA = { name: "Mara Lind", email: "mara@example.com", phone: "(212) 555-0110" };

const OWN_GROUNDS: typeof GROUNDS = {
  ...GROUNDS,
  "docs/changes.md": async (client) => ({
    env: {
      CONTACT: await create(client, "/crm/contacts", MARA),
      CHANGE: `crm $LEADPORT/crm/opportunities -d '{"name": "D", "contact_id": "'$CONTACT'"}'`,
    },
  }),
  "docs/duplicates.md": async (client) => {
    await create(client, "/crm/leads", { name: "M. Lind", email: MARA.email });
    const merge = "$(crm $LEADPORT/crm/leads/$ID/merges | pick id)";
    return {
      env: { ID: await create(client, "/crm/leads", MARA) },
      replaced: {
        "6b00a6c16bd5e0002bde0520": await create(client, "/crm/leads", MARA),
        "6b00a6d01f2e300051b7c9aa": merge,
      },
    };
  },
  "docs/backup.md": async () => ({ replaced: { "/mnt/backups": temporaryFolder(file) } }),
  "docs/summaries.md": async (client) => {
    const contact_id = await create(client, "/crm/contacts", MARA);
    const won = { name: "D", contact_id, stage: "closed_won", value_of_sale: 9200 };
    await create(client, "/crm/opportunities", won);
    return {};
  },
  "docs/partner-exchange.md": async (client) => {
    const settings = { name: "Harbour Referrals", commission_rate: 7.5 };
    const sources = { allowed_marketing_sources: ["Referral", "Linkedin"] };
    const { partner_id, access_code, token, post } = await partnerOf(client, {
      ...settings,
      ...sources,
    });
    const push = async (email: string): Promise<string> =>
      ok(await post("/crm/partner/push", { name: email, email })).body.id;
    const PENDING = await push("cora@example.com");
    const followed = await push("anna@example.com");
    for (const action of ["accept", "import"]) {
      ok(await client.post(`/crm/admin/pushed_leads/${followed}/${action}`, {}));
    }
    const { token: PIER_TOKEN } = await partnerOf(client, { ...sources, name: "Pier Nine" });
    return {
      env: {
        PENDING,
        PIER_TOKEN,
        CHANGE: 'pier_pushes \'{"name": "New", "email": "n@example.com"}\'',
      },
      replaced: {
        "6b014d2609640000abc112ed": partner_id,
        iyZrCindRGshpaAX7HuCRrvOjFrcI1o4P4oGUh8u: access_code,
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ0ZW5hbnQi…": token,
        "6b014d2650aa10006e0c7d31": followed,
        "6b014d26d896f000fc1b5302": await push("dora@example.com"),
        // This id is inside a request body in single quotes, so the quotes are closed around the command that returns
        // the real id.
        '"6b014d2640cce000027677d2"]': "\"'$(pier)'\"]",
        "6b014d2640cce000027677d2": "$(pier)",
        "6b014d26302e70008fa35827": "$(ines)",
      },
    };
  },
};

/** Commands of a page, or commands that print one of its standalone samples. */
interface Step {
  readonly commands: string;
  /** The output that the commands must print. If undefined, any output is accepted. */
  readonly sample?: string | undefined;
}

function stepsOf(file: string): readonly Step[] {
  const blocks = blocksOf(file);
  const own = blocks.flatMap((block, at): readonly Step[] => {
    if (!isCommands(block) || isListed(file, block)) return [];
    const next = blocks[at + 1];
    return [{ commands: block.text, sample: next?.isOutput === true ? next.text : undefined }];
  });
  const produced = blocks.flatMap((block): readonly Step[] => {
    const commands = listedFor(PRODUCED, file, block);
    const isRequest = /^[A-Z]+ \//.test(block.text);
    return commands === undefined ? [] : [{ commands, sample: isRequest ? undefined : block.text }];
  });
  return [...own, ...produced];
}

const isListed = (file: string, block: Block): boolean =>
  [ELSEWHERE, NOT_RUN].some((list) => listedFor(list, file, block) !== undefined);

/** Builds the script of a page: the parts of the tour that it uses, and its commands. */
function scriptOf(file: string, { replaced = {} }: Ground): string {
  const usesTour = file !== "docs/tour.md" && file !== "docs/partner-exchange.md";
  const body = stepsOf(file)
    .map(({ commands }) => `${commands}\necho; echo "${END}"; echo "${END}" >&2\n`)
    .join("");
  let script = (usesTour ? TOUR : "") + body;
  for (const [shown, real] of Object.entries(replaced)) script = script.replaceAll(shown, real);
  assert.ok(!usesTour || isIntroduced(file), `${file} states where $LEADPORT is from`);
  return script
    .replaceAll("http://127.0.0.1:8080", '"$SERVICE"')
    .replaceAll("$(cat data/owner-token)", "$OWNER_TOKEN");
}

/** Whether a page states where the variables in its commands come from. */
function isIntroduced(file: string): boolean {
  const commands = blocksOf(file).filter((block) => isCommands(block) && !isListed(file, block));
  const page = readFileSync(join(ROOT, file), "utf8");
  const isUsed = commands.some(({ text }) => /\$(LEADPORT|TOKEN)\b/.test(text));
  return !isUsed || page.includes("from [the tour](tour.md)");
}

/** Returns failed requests, or an error if the page shows a failure and none occurred. */
function wrongStatuses(err: string, { sample = "" }: Step): readonly string[] {
  const isFailure = /^\{\s*"detail"|^HTTP\/1\.1 [45]/.test(sample);
  const returned = [...err.matchAll(/^@@ (\d+) (.*)$/gm)].map(([, code, what]) => ({
    code: Number(code),
    what,
  }));
  const failed = returned.filter(({ code }) => code >= 400 || (code > 0 && code < 100));
  if (isFailure) return failed.length === 0 ? ["nothing failed"] : [];
  return failed.map(({ code, what }) => `${code} ${what}`);
}

test("every sample of the guides is run, compared, or on a list with a reason", () => {
  const unknown = GUIDE_FILES.flatMap((file) => {
    const blocks = blocksOf(file);
    return blocks
      .filter((block) => {
        if (file === "sdk/README.md" && block.language === "ts") return false;
        const isRun = isCommands(block) || block.language === "sql" || block.isOutput;
        const isSigned = file === "docs/webhooks.md" && ["js", "python"].includes(block.language);
        return (
          !isRun &&
          !isSigned &&
          !isListed(file, block) &&
          listedFor(PRODUCED, file, block) === undefined
        );
      })
      .map(({ text }) => `${file}: ${text.slice(0, 80)}`);
  });
  assert.deepEqual(unknown, []);
});

test("the lists name existing samples, and tests that read their page", () => {
  for (const list of [ELSEWHERE, NOT_RUN, PRODUCED]) {
    for (const [file, starts] of Object.entries(list)) {
      for (const start of Object.keys(starts)) {
        assert.ok(
          blocksOf(file).some(({ text }) => text.startsWith(start)),
          `${file}: ${start}`,
        );
      }
    }
  }
  for (const [file, tests] of Object.entries(ELSEWHERE)) {
    for (const path of Object.values(tests)) {
      assert.ok(
        readFileSync(join(ROOT, path), "utf8").includes(`${file}"`),
        `${path} reads ${file}`,
      );
    }
  }
});

test(
  "the samples of the guides run as they are shown and print what is shown",
  { timeout: 1_800_000 },
  async (t) => {
    const service = await startService(t);
    const order = ["docs/operating.md", ...GUIDE_FILES];
    for (const file of new Set(order)) {
      const steps = stepsOf(file);
      if (steps.length === 0 || file === "sdk/README.md") continue;
      await t.test(file, async () => {
        const isFirst =
          steps.some(({ commands }) => /npm run|cat data/.test(commands)) ||
          file === "docs/tour.md";
        const token = isFirst ? service.token : await service.addTenant(file);
        const client = new Client(service.url, token, "", "", async () => client);
        const ground = (await OWN_GROUNDS[file]?.(client)) ?? {};
        const { out, err } = await run(PRELUDE + scriptOf(file, ground), {
          SERVICE: service.url,
          LEADPORT: service.url,
          OWNER_TOKEN: token,
          TOKEN: token,
          DATA_DIR: service.dataDir,
          CHANGE: `crm $LEADPORT/crm/leads -d '{"name": "Changed"}'`,
          ...ground.env,
        });
        const printed = out.split(`${END}\n`);
        const noted = err.split(`${END}\n`);
        assert.equal(printed.length, steps.length + 1, err);
        const faults = steps.flatMap((step, at) => {
          const text = printed[at] ?? "";
          const missing = step.sample === undefined ? undefined : missingFrom(text, step.sample);
          const wrong = [
            ...wrongStatuses(noted[at] ?? "", step),
            ...(missing === undefined ? [] : [missing]),
          ];
          return wrong.length === 0
            ? []
            : [{ commands: step.commands, wrong, text: text.slice(0, 3000) }];
        });
        assert.deepEqual(faults, []);
      });
    }
    await t.test("the SQL of the guides", async (t) => {
      const sql = openSession(t, service.databaseUrl());
      const statements = GUIDE_FILES.flatMap(blocksOf).filter(({ language }) => language === "sql");
      assert.ok(statements.length > 0);
      for (const { text } of statements) await sql.unsafe(text);
    });
  },
);

/** The values in the sample request of docs/webhooks.md. */
const webhooks = readFileSync(join(ROOT, "docs/webhooks.md"), "utf8");
const valueOf = (pattern: RegExp): string => pattern.exec(webhooks)?.[1] ?? "";
const SIGNED = {
  secret: valueOf(/signed with `(whsec_[^`]+)`/),
  id: valueOf(/^webhook-id: (\S+)$/m),
  timestamp: valueOf(/^webhook-timestamp: (\d+)$/m),
  signature: valueOf(/^webhook-signature: (\S+)$/m),
  body: valueOf(/^(\{"id": .*\})$/m),
};

for (const [language, program] of [
  ["js", process.execPath],
  ["python", "python3"],
] as const) {
  test(`the ${language} of docs/webhooks.md accepts the sample's signature, and no other`, async (t) => {
    const [block] = blocksOf("docs/webhooks.md").filter((one) => one.language === language);
    const code = block?.text ?? "";
    const isPython = language === "python";
    const judge = (values: typeof SIGNED): Promise<string> => {
      const given = Object.entries(values).map(([name, value]) => {
        const text = JSON.stringify(value);
        if (!isPython) return `const ${name} = ${text};`;
        return `${name} = ${text}${name === "body" ? ".encode()" : ""}`;
      });
      const says = isPython ? "print(str(is_ours).lower())" : "console.log(isOurs, isFresh);";
      const args = isPython ? ["-c"] : ["--input-type=module", "-e"];
      const imports = code.match(/^import .*$/gm) ?? [];
      const rest = code.replaceAll(/^import .*$/gm, "");
      return new Promise((resolve) =>
        execFile(program, [...args, [...imports, ...given, rest, says].join("\n")], (error, out) =>
          resolve((error as NodeJS.ErrnoException | null)?.code === "ENOENT" ? "none" : out),
        ),
      );
    };
    const printed = await judge(SIGNED);
    if (printed === "none") return t.skip(`needs ${program}`);
    assert.match(printed, /^true/);
    assert.match(await judge({ ...SIGNED, body: `${SIGNED.body} ` }), /^false/);
  });
}
