/** Request and response schemas for users and sign-in. */

import { hasNoMembers, pick } from "../platform/json/index.ts";
import { bodyShape } from "../platform/operations/index.ts";
import {
  bodySchema,
  checker,
  type Members,
  nullable,
  objectSchema,
  type Rule,
  type Schemas,
  valueError,
} from "../platform/validation/index.ts";
import { PASSWORD_LENGTH } from "./credentials/index.ts";
import { ROLE_NAMES } from "./roles.ts";

const STRING = { type: "string" } as const;
const INTEGER = { type: "integer" } as const;
const BOOLEAN = { type: "boolean" } as const;
const ROLE = { ...STRING, enum: ROLE_NAMES } as const;

const text = (maxLength: number) => ({ type: "string", minLength: 1, maxLength }) as const;

const NAME = text(200);
const EMAIL = { ...text(254), "x-rule": ["email", null] } as const;
const TOKEN = { ...text(100), description: "The part of the link after `#`." } as const;
/** An existing password, which need not meet the requirements for new ones. */
const PASSWORD = text(1000);
const NEW_PASSWORD = { ...STRING, ...PASSWORD_LENGTH } as const;
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
  ...described: [title: T, properties: P, required?: readonly R[]]
) => bodyShape(bodySchema(...described), compile);

const CODES = { code: CODE, recovery_code: RECOVERY_CODE } as const;
const SIGN_IN = {
  // Accept any string, so that an invalid address gets the same error as an unknown one.
  email: text(254),
  password: PASSWORD,
  remember: { ...BOOLEAN, description: "Stay signed in for 30 days." },
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
  status: { ...STRING, enum: ["active", "suspended"] },
} as const satisfies Schemas;

export const BODIES = {
  signIn: body("SignInRequest", SIGN_IN, ["email", "password"]),
  link: body("LinkRequest", { token: TOKEN }),
  linkUse: body("LinkUseRequest", LINK_USE, ["token", "password"]),
  forgotten: body("ForgottenRequest", { email: text(254) }),
  passwordChange: body("PasswordChangeRequest", {
    current_password: PASSWORD,
    new_password: NEW_PASSWORD,
  }),
  password: body("PasswordRequest", { password: PASSWORD }),
  code: body("CodeRequest", { code: CODE }),
  secondFactorRemoval: body("SecondFactorRemovalRequest", { password: PASSWORD, ...CODES }, [
    "password",
  ]),
  profile: { ...body("ProfileRequest", { name: NAME }, []), isEmpty: hasNoMembers },
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
  id: STRING,
  name: STRING,
  email: nullable(STRING),
  role: nullable(ROLE),
  status: {
    ...STRING,
    enum: ["invited", "active", "suspended", "token_only"],
    description:
      "The status. A `token_only` user has no email, owns access tokens and cannot sign in.",
  },
  has_second_factor: BOOLEAN,
  created_ts: INTEGER,
  created_date: STRING,
  last_used_ts: nullable(INTEGER),
  last_used_date: nullable(STRING),
} as const satisfies Schemas;

export interface User extends Members<typeof USER> {}

/** Additional members of a user if a link was created. */
const USER_LINK = {
  link: {
    ...STRING,
    description: "The link with which the user sets a password. It is not shown again.",
  },
  link_expires_ts: INTEGER,
  emailed: { ...BOOLEAN, description: "Whether the link was also emailed." },
} as const satisfies Schemas;

export interface LinkedUser extends User, Members<typeof USER_LINK> {}

/** A session in the list of the user's sessions. */
export const SESSION = {
  id: STRING,
  is_current: BOOLEAN,
  created_ts: INTEGER,
  created_date: STRING,
  last_used_ts: INTEGER,
  last_used_date: STRING,
  address: STRING,
  user_agent: nullable(STRING),
  expires_ts: INTEGER,
} as const satisfies Schemas;

export interface Session extends Members<typeof SESSION> {}

/** The signed-in user, with their tenant, permissions and session. */
const SIGNED_IN = {
  person: objectSchema({
    ...pick(USER, ["id", "name"]),
    email: STRING,
    role: ROLE,
    has_second_factor: BOOLEAN,
    recovery_codes_left: INTEGER,
  }),
  tenant: objectSchema({
    id: STRING,
    name: STRING,
    currency: STRING,
    timezone: STRING,
    default_country: STRING,
    is_demo: { ...BOOLEAN, description: "Whether the tenant has demo data." },
  }),
  permissions: {
    type: "array",
    items: STRING,
    description: "All permissions of the role, including implied ones.",
  },
  session: objectSchema(pick(SESSION, ["id", "created_ts", "expires_ts"])),
} as const satisfies Schemas;

export interface SignedIn extends Members<typeof SIGNED_IN> {}

export const LINK_KINDS = ["invitation", "reset", "first_owner"] as const;

/** A preview of a link before it is used. */
const LINK = {
  kind: { ...STRING, enum: LINK_KINDS },
  name: STRING,
  email: {
    ...nullable(STRING),
    description: "The user's email; null for the first owner, who has not entered it yet.",
  },
  tenant_name: STRING,
  has_second_factor: {
    ...BOOLEAN,
    description: "Whether a second-factor code is required.",
  },
  expires_ts: INTEGER,
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
  RecoveryCodes: objectSchema({ recovery_codes: { type: "array", items: STRING } }),
};
