/** `leadport tenant quota`, and quotas in a running service with its worker. */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { eventually } from "../../kit/eventually.ts";
import { folder, installed, printed, startLeadport, tokenOf } from "../leadport.ts";

test("an operator sets a tenant's quota, and the service and the commands apply it", async (t) => {
  const env = { ...(await installed(t)), MAX_RECORDS: "3" };
  const { base } = await startLeadport(t, { env });
  const authorization = `Bearer ${tokenOf(env.DATA_DIR)}`;
  const create = async (): Promise<Response> =>
    fetch(`${base}/crm/leads`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify({ name: "Ada" }),
    });
  const quota = (...args: string[]) => printed(["tenant", "quota", "default", ...args], env);
  const { code, out, err } = await quota();
  assert.deepEqual([code, err], [0, ""]);
  assert.match(
    out,
    /^Records {2}0 of 3 \(0%\), set by MAX_RECORDS\nSpace {4}[\d.]+ KB \(no limit\)\n$/,
  );
  for (let at = 0; at < 3; at++) assert.equal((await create()).status, 200);
  assert.equal((await create()).status, 403);
  // Once the tenant has been measured again, other processes see what this one wrote.
  assert.match((await quota()).out, /^Records {2}3 of 3 \(100%\)/);
  const csv = join(folder(t), "leads.csv");
  writeFileSync(csv, "name\nGrace\n");
  const refused = await printed(["import", "leads", csv], env);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /The tenant stores 3 records; its quota is 3\./);
  assert.doesNotMatch(refused.err, /\n {4}at /);

  const own = await quota("--records", "5", "--bytes", "1GB");
  assert.match(own.out, /^Records {2}3 of 5 \(60%\)\nSpace {4}[\d.]+ KB of 1 GB \(0%\)\n$/);
  await eventually(create, ({ status }) => status === 200);
  const unlimited = await quota("--records", "off", "--bytes", "off");
  assert.match(unlimited.out, /^Records {2}4 \(no limit\)\nSpace {4}[\d.]+ KB \(no limit\)\n$/);
  const back = await quota("--records", "default", "--bytes", "default");
  assert.match(back.out, /^Records {2}4 of 3 \(133%\), set by MAX_RECORDS\nSpace /);
  await eventually(create, ({ status }) => status === 403);
});
