/** What is sent and answered around people and sign-in, as schemas. */

import type { BodyShape } from "../platform/operations/index.ts";
import { checker, valueError, type Rule, type Schema } from "../platform/validation/index.ts";
import { LINK_KINDS } from "./links.ts";
import { PASSWORD_LENGTH } from "./credentials/index.ts";
import { ROLE_NAMES } from "./roles.ts";

const text = (maxLength: number, description?: string): Schema => ({
  type: "string",
  minLength: 1,
  maxLength,
  ...(description !== undefined && { description }),
});

const NAME = text(200);
const EMAIL: Schema = { ...text(254), "x-rule": ["email", null] };
const TOKEN = text(100, "What stands behind the # of a link.");
/** Of somebody who has one, whatever may be asked of new ones. */
const PASSWORD = text(1000);
const NEW_PASSWORD: Schema = { type: "string", ...PASSWORD_LENGTH };
const CODE = text(20, "Six digits, as the authenticator shows them; each is taken once.");
const RECOVERY_CODE = text(50, "One of the recovery codes; it is gone then.");
const ROLE: Schema = { type: "string", enum: ROLE_NAMES };

const body = (
  title: string,
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = Object.keys(properties),
): Schema => ({
  title,
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
});

const REQUESTS = {
  SignInRequest: body(
    "SignInRequest",
    {
      // Whatever is typed is tried, so that what is no e-mail is told as what is wrong.
      email: text(254),
      password: PASSWORD,
      remember: { type: "boolean", description: "Keep the session for 30 days." },
      code: CODE,
      recovery_code: RECOVERY_CODE,
      tenant_id: text(100, "Where the e-mail has this password in several tenants."),
    },
    ["email", "password"],
  ),
  LinkRequest: body("LinkRequest", { token: TOKEN }),
  LinkUseRequest: body(
    "LinkUseRequest",
    {
      token: TOKEN,
      password: NEW_PASSWORD,
      name: { ...NAME, description: "Of the first owner, and only then." },
      email: { ...EMAIL, description: "Of the first owner, and only then." },
      code: CODE,
      recovery_code: RECOVERY_CODE,
    },
    ["token", "password"],
  ),
  ForgottenRequest: body("ForgottenRequest", { email: text(254) }),
  PasswordChangeRequest: body("PasswordChangeRequest", {
    current_password: PASSWORD,
    new_password: NEW_PASSWORD,
  }),
  PasswordRequest: body("PasswordRequest", { password: PASSWORD }),
  CodeRequest: body("CodeRequest", { code: CODE }),
  SecondFactorRemovalRequest: body(
    "SecondFactorRemovalRequest",
    { password: PASSWORD, code: CODE, recovery_code: RECOVERY_CODE },
    ["password"],
  ),
  ProfileRequest: body("ProfileRequest", { name: NAME }, []),
  PersonRequest: body("PersonRequest", { name: NAME, email: EMAIL, role: ROLE }),
  PersonUpdateRequest: body(
    "PersonUpdateRequest",
    {
      name: NAME,
      email: EMAIL,
      role: ROLE,
      status: { type: "string", enum: ["active", "suspended"] },
    },
    [],
  ),
  Preferences: {
    title: "Preferences",
    type: "object",
    additionalProperties: true,
    description: "What a page keeps for this person: views, a theme. No secrets.",
  },
} as const satisfies Readonly<Record<string, Schema>>;

export type RequestName = keyof typeof REQUESTS;

const EMAIL_LIKE = /^[^\s@<>"(),:;]+@[^\s@<>"(),:;]+\.[^\s@<>"(),:;]+$/;

export const isEmailLike = (email: string): boolean => EMAIL_LIKE.test(email.trim());

const emailRule: Rule = (value) =>
  typeof value !== "string" || isEmailLike(value) ? [] : [valueError("this is no e-mail address")];

/** How each body is checked. */
export function createShapes(): (name: RequestName) => BodyShape {
  const compile = checker({ email: emailRule });
  return (name) => ({ name, schema: REQUESTS[name], check: compile(REQUESTS[name]) });
}

const STRING: Schema = { type: "string" };
const OR_NULL: Schema = { type: ["string", "null"] };
const INTEGER: Schema = { type: "integer" };
const BOOLEAN: Schema = { type: "boolean" };

const answer = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
});

const PERSON: Schema = answer({
  id: STRING,
  name: STRING,
  email: OR_NULL,
  role: { type: ["string", "null"], enum: [...ROLE_NAMES, null] },
  status: {
    type: "string",
    enum: ["invited", "active", "suspended", "token_only"],
    description: "`token_only` has no e-mail: it owns access tokens and does not sign in.",
  },
  has_second_factor: BOOLEAN,
  created_ts: INTEGER,
  created_date: STRING,
  last_used_ts: { type: ["integer", "null"] },
  last_used_date: OR_NULL,
});

const LINK = {
  link: {
    type: "string",
    description: "Shown this once; the person opens it and sets a password.",
  },
  link_expires_ts: INTEGER,
  emailed: { type: "boolean", description: "Whether it was mailed, too." },
} as const;

/** Schemas that openapi.json prints by name. */
export const peopleSchemas: Readonly<Record<string, Schema>> = {
  ...REQUESTS,
  Person: PERSON,
  PersonLink: {
    ...PERSON,
    properties: { ...(PERSON["properties"] as object), ...LINK },
    required: [...(PERSON["required"] as string[]), ...Object.keys(LINK)],
  },
  Session: answer({
    person: answer({
      id: STRING,
      name: STRING,
      email: STRING,
      role: ROLE,
      has_second_factor: BOOLEAN,
      recovery_codes_left: INTEGER,
    }),
    tenant: answer({
      id: STRING,
      name: STRING,
      currency: STRING,
      timezone: STRING,
      default_country: STRING,
    }),
    permissions: {
      type: "array",
      items: STRING,
      description: "All that the role comes down to, those that others include too.",
    },
    session: answer({ id: STRING, created_ts: INTEGER, expires_ts: INTEGER }),
  }),
  PersonSession: answer({
    id: STRING,
    is_current: BOOLEAN,
    created_ts: INTEGER,
    created_date: STRING,
    last_used_ts: INTEGER,
    last_used_date: STRING,
    address: STRING,
    user_agent: OR_NULL,
    expires_ts: INTEGER,
  }),
  Link: answer({
    kind: { type: "string", enum: LINK_KINDS },
    name: STRING,
    email: { ...OR_NULL, description: "Null for the first owner, who names one." },
    tenant_name: STRING,
    has_second_factor: {
      type: "boolean",
      description: "Whether a code is asked for, too, as it is at sign-in.",
    },
    expires_ts: INTEGER,
  }),
  RecoveryCodes: answer({ recovery_codes: { type: "array", items: STRING } }),
};
