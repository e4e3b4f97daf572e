/** JSON bodies that take more time or memory than their size suggests. */

import { repeat, type Attack } from "../attack.ts";

const MB = 1024 * 1024;

/** Builds `{"items": [{"name": "x", "tags": [{}, {}, …]}]}` of a given size. */
const nestedObjects = (bytes: number): Buffer => {
  const head = '{"items":[{"name":"x","tags":[';
  const tail = "{}]}]}";
  return Buffer.from(
    head + "{},".repeat(Math.floor((bytes - head.length - tail.length) / 3)) + tail,
  );
};

const deepArrays = (bytes: number): Buffer =>
  Buffer.from(`{"name":${"[".repeat(bytes / 2 - 10)}${"]".repeat(bytes / 2 - 10)}}`);

const deepObjects = (bytes: number): Buffer => {
  const depth = Math.floor((bytes - 20) / 6);
  return Buffer.from(`{"name":${'{"a":'.repeat(depth)}1${"}".repeat(depth)}}`);
};

export const manyKeys = (bytes: number): Buffer => {
  const parts: string[] = [];
  for (let n = 0, length = 2; length < bytes - 16; n += 1) {
    const part = `"k${n}":1`;
    parts.push(part);
    length += part.length + 1;
  }
  return Buffer.from(`{${parts.join(",")}}`);
};

/** Sends a body repeatedly on several connections, with or without a credential. */
const bodyAttack = (
  name: string,
  path: string,
  made: { readonly body: () => Buffer; readonly connections: number; readonly anonymous?: true },
): Attack => ({
  name,
  prepare: () => {
    const body = made.body();
    return (target, tally) => {
      const credential = made.anonymous === true ? {} : { token: target.token };
      const sent = () => ({ method: "POST", path, body, ...credential });
      return repeat(target, tally, { connections: made.connections, sent });
    };
  },
});

export const BODY_ATTACKS: readonly Attack[] = [
  bodyAttack("one 15 MB batch of nested objects at a time", "/crm/leads/batch", {
    body: () => nestedObjects(15 * MB),
    connections: 1,
  }),
  bodyAttack("four 15 MB batches of nested objects at once", "/crm/leads/batch", {
    body: () => nestedObjects(15 * MB),
    connections: 4,
  }),
  bodyAttack("deep arrays, 1 MB", "/crm/leads", { body: () => deepArrays(MB), connections: 4 }),
  bodyAttack("deep objects, 15 MB batches", "/crm/leads/batch", {
    body: () => deepObjects(15 * MB),
    connections: 4,
  }),
  bodyAttack("many keys, 1 MB, to sign-in without a credential", "/auth/sign_in", {
    body: () => manyKeys(MB - 1024),
    connections: 4,
    anonymous: true,
  }),
  bodyAttack("many keys, 1 MB, to the partner token exchange", "/crm/partner/token", {
    body: () => manyKeys(MB - 1024),
    connections: 4,
    anonymous: true,
  }),
  bodyAttack("many unknown fields, 1 MB, with a token", "/crm/leads", {
    body: () => manyKeys(MB - 1024),
    connections: 4,
  }),
];
