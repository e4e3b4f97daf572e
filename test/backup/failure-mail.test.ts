/** The operator gets a single email about consecutive backup failures. */
// docs/backup.md#automatic-backups

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import pino from "pino";
import { createSeries } from "../../src/backup/report-failure.ts";
import { migrate } from "../../src/platform/migrations/index.ts";
import { createMailer } from "../../src/platform/outgoing/index.ts";
import { start } from "../kit/cluster.ts";
import { eventually } from "../kit/eventually.ts";
import { startSmtp } from "../kit/smtp.ts";
import { atEnd } from "../kit/started.ts";
import { clusterOf, folder } from "../running/leadport.ts";
import { backingUp } from "./physical-kit.ts";

const HOUR_ms = 3_600_000;

test("a failed backup is mailed to the operator, once until a backup succeeds", async (t) => {
  const smtp = await startSmtp(t);
  const dataDir = join(folder(t), "data");
  const { url, address } = await start(t, dataDir);
  await migrate(url, address);
  const logged: string[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void logged.push(line) });
  const count = (what: RegExp) => logged.filter((line) => what.test(line)).length;
  const mailFrom = "crm@example.com";
  const mailer = createMailer({ smtpUrl: smtp.url, mailFrom }, log);
  atEnd(t, () => mailer.close());
  let now_ms = Date.now();
  const clock = { now_ms: () => now_ms };
  const data = join(clusterOf(dataDir), "data");
  const source = {
    url,
    address,
    dataDir,
    data: join(dataDir, "missing"),
    installationId: undefined,
  };
  const backupDir = join(folder(t), "backups");
  backingUp(t, { source, dataDir }, backupDir, {
    spool: folder(t),
    settings: { operatorEmail: "ops@example.com" },
    clock,
    log,
    mailer,
  });

  // Advance the clock until the backup has failed three times, an hour apart.
  await eventually(() => {
    now_ms += HOUR_ms / 60;
    return count(/the backup \w+ failed/) >= 3;
  });
  await eventually(() => smtp.inbox.length > 0);
  assert.equal(smtp.inbox.length, 1);
  const [mail] = smtp.inbox.splice(0);
  assert.deepEqual([mail?.from, mail?.to], ["crm@example.com", ["ops@example.com"]]);
  assert.match(mail?.text ?? "", /Subject: Leadport: a backup failed/);
  assert.match(mail?.text ?? "", /the backup \w+ in \S+backups failed:[^]*missing/);

  // After a success, the next failure triggers a new email.
  source.data = data;
  await eventually(() => {
    now_ms += HOUR_ms / 60;
    return count(/A backup was taken/) === 1;
  });
  assert.equal(smtp.inbox.length, 0);
  source.data = join(dataDir, "missing");
  // The next backup is due up to a day later.
  await eventually(() => {
    now_ms += HOUR_ms;
    return smtp.inbox.length === 1;
  });
  assert.match(smtp.inbox[0]?.text ?? "", /the backup \w+ in \S+backups failed:/);
});

test("an email that the mail server did not accept is sent with the next failure", async (t) => {
  const smtp = await startSmtp(t);
  const sent: boolean[] = [];
  const log = pino({ level: "silent" });
  const [dead, alive] = ["smtp://127.0.0.1:1", smtp.url].map((smtpUrl) =>
    createMailer({ smtpUrl, mailFrom: "crm@example.com" }, log),
  );
  atEnd(t, () => [dead, alive].map((one) => one?.close()));
  const mailer = {
    canSend: true,
    close: () => {},
    send: async (mail: Parameters<NonNullable<typeof alive>["send"]>[0]) => {
      const isSent = (await (sent.length === 0 ? dead : alive)?.send(mail)) === true;
      sent.push(isSent);
      return isSent;
    },
  };
  let now_ms = Date.now();
  const series = createSeries({
    settings: { backupDir: join(folder(t), "none"), operatorEmail: "ops@example.com" },
    clock: { now_ms: () => now_ms },
    log,
    mailer,
  });
  for (let minute = 0; minute <= 180; minute += 1) {
    await series.report(`the backup ${minute}`, "the disk is full");
    now_ms += 60_000;
  }
  assert.deepEqual(sent, [false, true]);
  assert.equal(smtp.inbox.length, 1);
});
