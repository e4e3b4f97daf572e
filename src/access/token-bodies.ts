/** Request and response bodies of the access token operations. */

import { type Clock, epochSeconds } from "../platform/clock/index.ts";
import { hasNoMembers, type Json } from "../platform/json/index.ts";
import { bodyShape } from "../platform/operations/index.ts";
import { checker, futureFaults, momentOf } from "../platform/validation/index.ts";
import {
  bodySchema,
  CREATED_TS,
  described,
  integer,
  type Members,
  nullable,
  objectSchema,
  type Schemas,
  string,
  type Typed,
  withSecret,
} from "../platform/schemas/index.ts";
import {
  ADDRESS_LIST_SCHEMA,
  addressRange,
  CONCURRENCY_LIMIT_SCHEMA,
  RATE_LIMIT_SCHEMA,
} from "../limits/index.ts";
import { PERMISSION_NAMES } from "./permissions.ts";

const STRING = { type: "string" } as const;
const STRINGS = { type: "array", items: STRING } as const;
const LIMITS = {
  rate_limit: RATE_LIMIT_SCHEMA,
  concurrency_limit: CONCURRENCY_LIMIT_SCHEMA,
} as const satisfies Schemas;
const NAME = string("What the token is for.", { minLength: 1, maxLength: 200 });

/** The members of a token in responses. Never includes the token itself. */
export const TOKEN = {
  id: string("The id of the token."),
  name: string("What the token is for."),
  userid: string("The id of the user who owns the records that the token creates."),
  user_name: string("The name of the user who owns the records that the token creates."),
  permissions: described(STRINGS, "The permissions."),
  ip_allow_list: described(
    STRINGS,
    "Addresses and CIDR ranges that the credential may be used from. An empty list means no restriction.",
  ),
  ...LIMITS,
  expires_ts: nullable(integer("When it expires, in epoch seconds; null if it never does.")),
  expires_date: { type: ["string", "null"] },
  created_ts: CREATED_TS,
  created_date: STRING,
  last_used_ts: nullable(integer("When it was last used, in epoch seconds; null if never.")),
  last_used_date: { type: ["string", "null"] },
} as const satisfies Schemas;

export interface AccessToken extends Members<typeof TOKEN> {}

const TOKEN_REQUEST = bodySchema(
  "AccessTokenRequest",
  {
    name: NAME,
    permissions: {
      type: "array",
      minItems: 1,
      maxItems: PERMISSION_NAMES.length,
      items: { ...STRING, enum: PERMISSION_NAMES },
      description: "The permissions.",
    },
    owner: nullable(
      string(
        "The name of the user who owns the records that the token creates. Default: you. Only " +
          "owners can name another owner.",
        { minLength: 1, maxLength: 200 },
      ),
    ),
    expires_at: {
      type: ["number", "string", "null"],
      description:
        "When the token expires: epoch seconds or ISO 8601, in the future. Default: never.",
      "x-rule": ["future", null],
    },
    ip_allow_list: ADDRESS_LIST_SCHEMA,
    ...LIMITS,
  },
  ["name", "permissions"],
);

/** The members that a PATCH can change. Each is a column. */
export const TOKEN_CHANGES = { name: NAME, ...LIMITS } as const satisfies Schemas;
const TOKEN_UPDATE_REQUEST = bodySchema("AccessTokenUpdateRequest", TOKEN_CHANGES, []);

/** The bodies of requests, which are checked with the given clock. */
export function tokenBodies(clock: Clock) {
  const compile = checker({
    future: (value) => futureFaults(value, epochSeconds(clock)),
    address_range: addressRange,
  });
  return {
    request: bodyShape(TOKEN_REQUEST, compile),
    update: { ...bodyShape(TOKEN_UPDATE_REQUEST, compile), isEmpty: hasNoMembers },
  };
}

/** Converts a valid `expires_at` to epoch seconds. */
export function expiryOf(value: Json): number | null {
  const moment = momentOf(value);
  return moment === undefined ? null : Math.floor(moment);
}

export type TokenRequest = Typed<typeof TOKEN_REQUEST>;
export type TokenPatch = Typed<typeof TOKEN_UPDATE_REQUEST>;

const TOKEN_SCHEMA = objectSchema(TOKEN, [
  "id",
  "name",
  "userid",
  "permissions",
  "ip_allow_list",
  "expires_ts",
]);

/** The named schemas in openapi.json. */
export const tokenSchemas: Schemas = {
  AccessTokenRequest: TOKEN_REQUEST,
  AccessTokenUpdateRequest: TOKEN_UPDATE_REQUEST,
  AccessToken: TOKEN_SCHEMA,
  AccessTokenCreated: withSecret(
    TOKEN_SCHEMA,
    "token",
    "The token that requests send as their credential.",
  ),
};
