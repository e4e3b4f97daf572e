/** Settings: which values are accepted and which are rejected. Also checks that docs/configuration.md is up to date. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { configurationMarkdown } from "../../src/reference/docs/configuration.ts";
import { type Config, SETTINGS } from "../../src/settings/config.ts";
import { loadConfig } from "../../src/settings/load-config.ts";
import { removedSettings } from "../../src/settings/removed-settings.ts";
import { processesOn } from "../../src/settings/setting-texts.ts";

const KEY = Buffer.alloc(32, 7).toString("base64");

function read(env: Record<string, string>, expected: Partial<Config>) {
  const config = loadConfig(env);
  for (const [name, value] of Object.entries(expected)) {
    assert.deepEqual(config[name as keyof Config], value, name);
  }
}

/** Asserts that settings are rejected with exactly one problem per pattern. */
function refuse(env: Record<string, string>, patterns: readonly RegExp[]) {
  assert.throws(
    () => loadConfig(env),
    (error: Error) => {
      const lines = error.message.split("\n").slice(1);
      assert.equal(lines.length, patterns.length, error.message);
      for (const pattern of patterns) assert.match(error.message, pattern);
      return true;
    },
  );
}

test("without any variable every setting has its default", () =>
  read(
    {},
    {
      host: "127.0.0.1",
      port: 8080,
      databaseUrl: undefined,
      trustedProxies: [],
      outgoingAllow: [],
    },
  ));

test("a switch is on or off, and off by default", () => {
  read({ COMPRESSION: "on" }, { compression: true });
  read({}, { compression: false });
  refuse({ COMPRESSION: "yes" }, [/COMPRESSION must be one of off, on, not "yes"/]);
});

test("an empty value counts as not set", () =>
  read({ PORT: " ", DATABASE_URL: "" }, { port: 8080 }));

test("the data folder is relative to the current folder", () =>
  read({ DATA_DIR: "x/y" }, { dataDir: join(process.cwd(), "x/y") }));

test("proxies are addresses and ranges of both families", () =>
  read({ TRUSTED_PROXIES: "10.0.0.0/8, ::1" }, { trustedProxies: ["10.0.0.0/8", "::1"] }));

test("outgoing requests may be allowed for host names, addresses and ranges", () =>
  read(
    { OUTGOING_ALLOW: "localhost, Hooks.internal.example,10.1.0.0/16, fd12::/32,::1" },
    {
      outgoingAllow: ["localhost", "hooks.internal.example", "10.1.0.0/16", "fd12::/32", "::1"],
    },
  ));

test("email needs a sender and the base address of its links", () => {
  const smtpUrl = "smtps://user:hush@mail.example.com:465";
  const mailFrom = "Leadport <crm@example.com>";
  read(
    { SMTP_URL: smtpUrl, MAIL_FROM: mailFrom, PUBLIC_URL: "https://crm.example.com/" },
    { smtpUrl, mailFrom, publicUrl: "https://crm.example.com" },
  );
  read({ PUBLIC_URL: "http://127.0.0.1:8080/crm" }, { publicUrl: "http://127.0.0.1:8080/crm" });
  assert.throws(
    () => loadConfig({ SMTP_URL: smtpUrl }),
    /MAIL_FROM must be set when SMTP_URL is\n +PUBLIC_URL must be set when SMTP_URL is/,
  );
});

test("a rate limit is a number, or off", () => {
  read({}, { rateLimit: 6000 });
  read({ RATE_LIMIT: "120" }, { rateLimit: 120 });
  read({ RATE_LIMIT: "off" }, { rateLimit: 0 });
  read({}, { anonymousRateLimit: 1200 });
  read({ ANONYMOUS_RATE_LIMIT: "off" }, { anonymousRateLimit: 0 });
});

test("processes are a number, and auto leaves cores to the database", () => {
  const cores = [1, 2, 3, 4, 8, 16];
  const serving = [1, 1, 2, 3, 6, 11];
  assert.deepEqual(cores.map(processesOn), serving);
  read({}, { processes: 1 });
  read({ PROCESSES: "4" }, { processes: 4 });
  read({ PROCESSES: "auto" }, { processes: processesOn(availableParallelism()) });
});

test("a master key is 32 bytes, earlier ones a list", () =>
  read(
    { MASTER_KEY: KEY, MASTER_KEY_PREVIOUS: `${KEY},${KEY}` },
    {
      masterKey: Buffer.alloc(32, 7),
      masterKeysPrevious: [Buffer.alloc(32, 7), Buffer.alloc(32, 7)],
    },
  ));

test("traces go to a collector with OpenTelemetry's own settings", () => {
  read({}, { otlpEndpoint: undefined, traceSampler: "parentbased_always_on", traceSamplerArg: 1 });
  read(
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/",
      OTEL_EXPORTER_OTLP_HEADERS: "Authorization=Basic%20YTpi, x-tenant = one",
      OTEL_TRACES_SAMPLER: "traceidratio",
      OTEL_TRACES_SAMPLER_ARG: "0.1",
    },
    {
      otlpEndpoint: "http://collector:4318",
      otlpHeaders: { Authorization: "Basic YTpi", "x-tenant": "one" },
      traceSampler: "traceidratio",
      traceSamplerArg: 0.1,
    },
  );
  const endpoint = /OTLP_ENDPOINT must be an address such as http:\/\/127\.0\.0\.1:4318/;
  refuse({ OTEL_EXPORTER_OTLP_ENDPOINT: "127.0.0.1:4318" }, [endpoint]);
  refuse({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://user:password@collector" }, [endpoint]);
  const headers = /OTLP_HEADERS must list headers such as api-key=secret, separated by commas$/;
  refuse({ OTEL_EXPORTER_OTLP_HEADERS: "a-secret" }, [headers]);
  refuse({ OTEL_EXPORTER_OTLP_HEADERS: "api-key=%0d%0aa-secret" }, [headers]);
  refuse({ OTEL_TRACES_SAMPLER: "sometimes" }, [/SAMPLER must be one of always_on, always_off,/]);
  refuse({ OTEL_TRACES_SAMPLER_ARG: "10%" }, [/SAMPLER_ARG must be a number from 0 to 1, not/]);
  refuse({ OTEL_TRACES_SAMPLER_ARG: "1.5" }, [/SAMPLER_ARG must be a number from 0 to 1, not/]);
});

const WRONG = [
  { PORT: "65536" },
  { PORT: "1e3" },
  { PORT: "-1" },
  { HOST: "a b" },
  { LOG_LEVEL: "loud" },
  { TRUSTED_PROXIES: "10.0.0.0/33" },
  { TRUSTED_PROXIES: "proxy.example.com" },
  { OUTGOING_ALLOW: "10.0.0.0/33" },
  { OUTGOING_ALLOW: "http://localhost" },
  { OUTGOING_ALLOW: "localhost:3000" },
  { OUTGOING_ALLOW: "*.internal.example" },
  { OUTGOING_ALLOW: "2130706433" },
  { OUTGOING_ALLOW: "localhost,,10.0.0.1" },
  { PUBLIC_URL: "crm.example.com" },
  { PUBLIC_URL: "ftp://crm.example.com" },
  { PUBLIC_URL: "https://crm.example.com/?a=b" },
  {
    SMTP_URL: "https://mail.example.com",
    MAIL_FROM: "a@example.com",
    PUBLIC_URL: "https://x.example",
  },
  { MAIL_FROM: "nobody" },
  { MAIL_FROM: "Leadport <crm@example.com>, other@example.com" },
  { DATABASE_CONNECTIONS: "0" },
  { LIST_TIMEOUT_MS: "soon" },
  { PROCESSES: "0" },
  { PROCESSES: "129" },
  { PROCESSES: "1.5" },
  { PROCESSES: "all" },
  { RATE_LIMIT: "0" },
  { MAX_BYTES: "0MB" },
  { MAX_BYTES: "9999999TB" },
  { RATE_LIMIT: "60/min" },
  { MASTER_KEY: "short" },
  { DATABASE_URL: "mysql://db.example.com/x", MASTER_KEY: KEY },
  { DATABASE_URL: "postgres://db.example.com/x" },
  { TLS_CERT_FILE: "cert.pem" },
];
for (const env of WRONG) {
  test(`${JSON.stringify(env).replace(KEY, "…")} is rejected by a message that names it`, () =>
    refuse(env, [new RegExp(Object.keys(env)[0] ?? "")]));
}

test("one message names every wrong setting", () =>
  refuse({ PORT: "x", HOST: "a b", LOG_LEVEL: "loud", TLS_KEY_FILE: "k" }, [
    /PORT must be a whole number from 0 to 65535, not "x"/,
    /HOST must be/,
    /LOG_LEVEL must be one of/,
    /TLS_CERT_FILE and TLS_KEY_FILE/,
  ]));

test("a message repeats no secret", () => {
  const env = { DATABASE_URL: "mysql://u:hush@x", MASTER_KEY: "hush", MASTER_KEY_PREVIOUS: "hush" };
  assert.throws(
    () => loadConfig(env),
    (error: Error) => !error.message.includes("hush"),
  );
});

test("what was read cannot be changed", () =>
  assert.throws(() => Object.assign(loadConfig({}), { port: 1 }), TypeError));

test("a removed setting is named by a warning that says what replaces it, unless it is empty", () => {
  const replaced = {
    SERVER_TIMING: "`Prefer: timing`",
    EXPORT_SPOOL_MAX: "at most 10 GB",
    PARTNER_OUTGOING_ALLOW: "public https address",
  };
  for (const [name, instead] of Object.entries(replaced)) {
    const [warning = "", ...others] = removedSettings({ [name]: "x", PORT: "1" });
    assert.deepEqual(others, []);
    assert.ok(warning.startsWith(`${name} is no longer a setting and has no effect. `), warning);
    assert.ok(warning.includes(instead), warning);
    assert.ok(!Object.values<{ env: string }>(SETTINGS).some(({ env }) => env === name));
    assert.deepEqual(removedSettings({ [name]: " " }), []);
  }
});

test("docs/configuration.md is what `leadport docs configuration` prints", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/configuration.md"), "utf8");
  assert.equal(page, configurationMarkdown());
  for (const { env } of Object.values(SETTINGS)) assert.ok(page.includes(`\`${env}\``), env);
});
