/** Every sample of the reference, run with curl as shown: it succeeds, and returns the members in its example. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { sharedApi } from "../kit/file-api.ts";
import { type Document, readDocument } from "../api/operations.ts";
import { type Sample, samplesOf } from "./curl.ts";
import { World } from "./world.ts";
import { startProcess, type Owner } from "../kit/started.ts";

const api = await sharedApi();
const first = await api.tenant();
const document = await readDocument(first);
const samples = samplesOf(document);
const hasCurl = await promisify(execFile)("curl", ["--version"]).then(
  () => true,
  () => false,
);

interface Printed {
  readonly status: number;
  readonly body: string;
}

/** Returns a command's output with the headers. For a stream, which never ends, returns only the first part. */
async function print(t: Owner, command: string, isStream: boolean): Promise<Printed> {
  const options = "--include --silent --show-error --no-buffer";
  const child = startProcess(t, ["bash", "-c", `exec ${command} \\\n  ${options}`]);
  let out = "";
  let err = "";
  child.stderr.on("data", (data: Buffer) => (err += data.toString()));
  await new Promise<void>((resolve) => {
    child.stdout.on("data", (data: Buffer) => {
      out += data.toString();
      if (isStream && out.includes("\r\n\r\n")) child.kill();
    });
    child.on("close", () => resolve());
  });
  const [, status = "0"] = /^HTTP\/1\.1 (\d+)/.exec(out) ?? [];
  const [, body = ""] = /\r\n\r\n([^]*)$/.exec(out) ?? [];
  return { status: Number(status), body: body === "" ? err : body };
}

/** Returns the example of the response, if it is JSON. */
function responseExample({ operation }: Sample): Document {
  const [, response] =
    Object.entries<Document>(operation.responses).find(([status]) => status.startsWith("2")) ?? [];
  const example = response?.content?.["application/json"]?.examples.example;
  const name = /^#\/components\/examples\/(\w+)$/.exec(example?.$ref ?? "")?.[1];
  return name === undefined ? example?.value : document.components.examples[name].value;
}

/** Returns the members of an object, or of the first object of a list. */
const membersOf = (value: Document): readonly string[] =>
  Array.isArray(value) ? membersOf(value[0] ?? {}) : Object.keys(value ?? {});

/** Users choose the members of their preferences, so these are not compared. */
const FREE: readonly string[] = ["get_preferences", "put_preferences"];

for (const sample of samples) {
  const { id, method, path } = sample;
  test(`the sample of ${method} ${path} works as it is shown`, { skip: !hasCurl }, async (t) => {
    const world = new World(api, await api.tenant(), sample);
    const command = await world.command();
    const { status, body } = await print(t, command, id.startsWith("stream_"));
    assert.ok(status >= 200 && status < 300, `${status} ${body}\n${command}`);
    const example = responseExample(sample);
    if (example === undefined || FREE.includes(id)) return;
    const shown = membersOf(example);
    const unknown = membersOf(JSON.parse(body)).filter((name) => !shown.includes(name));
    assert.deepEqual(unknown, [], `${id} returns members that its example lacks`);
  });
}

test("there is a sample of every operation", () => {
  const count = Object.values<object>(document.paths).flatMap((methods) =>
    Object.keys(methods),
  ).length;
  assert.equal(samples.length, count);
  assert.ok(count > 150);
});
