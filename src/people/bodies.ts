/** Request and response schemas for users and sign-in. */

import { TENANT } from "../tenants/index.ts";
import { hasNoMembers, pick } from "../platform/json/index.ts";
import { bodyShape } from "../platform/operations/index.ts";
import { checker, type Rule, valueError } from "../platform/validation/index.ts";
import {
  bodySchema,
  boolean,
  CREATED_TS,
  described,
  integer,
  type Members,
  nullable,
  objectSchema,
  type Schemas,
  string,
} from "../platform/schemas/index.ts";
import { PASSWORD_LENGTH } from "./credentials/index.ts";
import { ROLE_NAMES } from "./roles.ts";

const STRING = { type: "string" } as const;
const ROLE = string("The role of the user.", { enum: ROLE_NAMES });

const text = (maxLength: number) => ({ type: "string", minLength: 1, maxLength }) as const;

const NAME = described(text(200), "The name.");
const ANY_EMAIL = described(text(254), "The email.");
const EMAIL = { ...ANY_EMAIL, "x-rule": ["email", null] } as const;
const TOKEN = { ...text(100), description: "The part of the link after `#`." } as const;
/** An existing password, which need not meet the requirements for new ones. */
const PASSWORD = text(1000);
const OWN_PASSWORD = described(PASSWORD, "Your current password.");
const NEW_PASSWORD = string("The new password.", { ...PASSWORD_LENGTH });
const CODE = {
  ...text(20),
  description: "The six digits that the authenticator app shows. A code is valid once.",
} as const;
const RECOVERY_CODE = {
  ...text(50),
  description: "A recovery code. It can be used only once.",
} as const;
const OF_FIRST_OWNER = {
  description:
    "Present only for the first owner's link, because the owner's name and email are not known yet.",
} as const;

/** The domain contains a period after its first character. Each string can match in only one way, so this is fast. */
const EMAIL_LIKE = /^[^\s@<>"(),:;]+@[^\s@<>"(),:;][^\s@<>"(),:;.]*\.[^\s@<>"(),:;]+$/;

export const isEmailLike = (email: string): boolean => EMAIL_LIKE.test(email.trim());

const emailRule: Rule = (value) =>
  typeof value !== "string" || isEmailLike(value)
    ? []
    : [valueError("this is not a valid email address")];

const compile = checker({ email: emailRule });

const body = <
  const T extends string,
  const P extends Schemas,
  const R extends keyof P & string = keyof P & string,
>(
  ...schema: [title: T, properties: P, required?: readonly R[]]
) => bodyShape(bodySchema(...schema), compile);

const CODES = { code: CODE, recovery_code: RECOVERY_CODE } as const;
const SIGN_IN = {
  // Accept any string, so that an invalid address gets the same error as an unknown one.
  email: ANY_EMAIL,
  password: described(PASSWORD, "The password."),
  remember: boolean("Stay signed in for 30 days."),
  ...CODES,
  tenant_id: {
    ...text(100),
    description: "The tenant to sign in to, if the email has this password in several.",
  },
} as const satisfies Schemas;
const LINK_USE = {
  token: TOKEN,
  password: NEW_PASSWORD,
  name: { ...NAME, ...OF_FIRST_OWNER },
  email: { ...EMAIL, ...OF_FIRST_OWNER },
  ...CODES,
} as const satisfies Schemas;
const NEW_USER = { name: NAME, email: EMAIL, role: ROLE } as const satisfies Schemas;
const USER_UPDATE = {
  ...NEW_USER,
  status: string("A suspended user cannot sign in.", { enum: ["active", "suspended"] }),
} as const satisfies Schemas;

export const BODIES = {
  signIn: body("SignInRequest", SIGN_IN, ["email", "password"]),
  link: body("LinkRequest", { token: TOKEN }),
  linkUse: body("LinkUseRequest", LINK_USE, ["token", "password"]),
  forgotten: body("ForgottenRequest", { email: ANY_EMAIL }),
  passwordChange: body("PasswordChangeRequest", {
    current_password: described(PASSWORD, "The current password."),
    new_password: NEW_PASSWORD,
  }),
  password: body("PasswordRequest", { password: OWN_PASSWORD }),
  code: body("CodeRequest", { code: CODE }),
  secondFactorRemoval: body("SecondFactorRemovalRequest", { password: OWN_PASSWORD, ...CODES }, [
    "password",
  ]),
  profile: {
    ...body("ProfileRequest", { name: described(NAME, "Your name.") }, []),
    isEmpty: hasNoMembers,
  },
  user: body("PersonRequest", NEW_USER),
  userUpdate: { ...body("PersonUpdateRequest", USER_UPDATE, []), isEmpty: hasNoMembers },
  preferences: bodyShape(
    {
      title: "Preferences",
      type: "object",
      additionalProperties: true,
      description: "What the console stores for the user, such as views and the theme.",
    },
    compile,
  ),
};

/** Returns the issues of a new user. */
export const userIssues = BODIES.user.check;

export type Body<K extends keyof typeof BODIES> = NonNullable<(typeof BODIES)[K]["typed"]>;

/** A user's members in responses to administrators. */
export const USER = {
  id: string("The id of the user."),
  name: string("The name."),
  email: nullable(string("The email of the user; null if the user has none.")),
  role: nullable(ROLE),
  status: string(
    "The status. A `token_only` user has no email, owns access tokens and cannot sign in.",
    { enum: ["invited", "active", "suspended", "token_only"] },
  ),
  has_second_factor: boolean("Whether the user has a second factor."),
  created_ts: CREATED_TS,
  created_date: STRING,
  last_used_ts: nullable(
    integer("When the user was last active, in epoch seconds; null if never."),
  ),
  last_used_date: nullable(STRING),
} as const satisfies Schemas;

export interface User extends Members<typeof USER> {}

/** Additional members of a user if a link was created. */
const USER_LINK = {
  link: string("The link with which the user sets a password. It is not shown again."),
  link_expires_ts: integer("When the link expires, in epoch seconds."),
  emailed: boolean("Whether the link was also emailed."),
} as const satisfies Schemas;

export interface LinkedUser extends User, Members<typeof USER_LINK> {}

/** A session in the list of the user's sessions. */
export const SESSION = {
  id: string("The id of the session."),
  is_current: boolean("Whether the request belongs to this session."),
  created_ts: CREATED_TS,
  created_date: STRING,
  last_used_ts: integer("When it was last used, in epoch seconds; null if never."),
  last_used_date: STRING,
  address: string("The IP address that the session was last used from."),
  user_agent: nullable(string("The browser.")),
  expires_ts: integer("When the session ends, in epoch seconds."),
} as const satisfies Schemas;

export interface Session extends Members<typeof SESSION> {}

/** The signed-in user, with their tenant, permissions and session. */
const SIGNED_IN = {
  person: described(
    objectSchema({
      ...pick(USER, ["id", "name"]),
      email: string("The email."),
      role: ROLE,
      has_second_factor: USER.has_second_factor,
      recovery_codes_left: integer("The number of unused recovery codes."),
    }),
    "The signed-in user.",
  ),
  tenant: described(
    objectSchema({
      id: TENANT.id,
      name: string("The name."),
      ...pick(TENANT, ["currency", "timezone", "default_country"]),
      is_demo: boolean("Whether the tenant has demo data."),
    }),
    "The tenant.",
  ),
  permissions: {
    type: "array",
    items: STRING,
    description: "All permissions of the role, including implied ones.",
  },
  session: described(
    objectSchema({
      ...pick(SESSION, ["id", "created_ts", "expires_ts"]),
      created_ts: integer("When the session started, in epoch seconds."),
    }),
    "The session.",
  ),
} as const satisfies Schemas;

export interface SignedIn extends Members<typeof SIGNED_IN> {}

export const LINK_KINDS = ["invitation", "reset", "first_owner"] as const;

/** A preview of a link before it is used. */
const LINK = {
  kind: string("What the link is for.", { enum: LINK_KINDS }),
  name: string("The name of the user."),
  email: nullable(
    string("The user's email; null for the first owner, who has not entered it yet."),
  ),
  tenant_name: string("The name of the tenant."),
  has_second_factor: boolean("Whether a second-factor code is required."),
  expires_ts: integer("When the link expires, in epoch seconds."),
} as const satisfies Schemas;

export interface LinkPreview extends Members<typeof LINK> {}

/** Named schemas in openapi.json. */
export const peopleSchemas: Schemas = {
  ...Object.fromEntries(Object.values(BODIES).map(({ name, schema }) => [name, schema])),
  Person: objectSchema(USER),
  PersonLink: objectSchema({ ...USER, ...USER_LINK }),
  Session: objectSchema(SIGNED_IN),
  PersonSession: objectSchema(SESSION),
  Link: objectSchema(LINK),
  RecoveryCodes: objectSchema({
    recovery_codes: described(
      { type: "array", items: STRING },
      "The recovery codes. They are not shown again.",
    ),
  }),
};
