/** What is sent and returned around users and sign-in, as schemas. */

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
const TOKEN = { ...text(100), description: "What stands behind the # of a link." } as const;
/** Of somebody who has one, whatever may be asked of new ones. */
const PASSWORD = text(1000);
const NEW_PASSWORD = { ...STRING, ...PASSWORD_LENGTH } as const;
const CODE = {
  ...text(20),
  description: "Six digits, as the authenticator shows them; each is taken once.",
} as const;
const RECOVERY_CODE = {
  ...text(50),
  description: "One of the recovery codes; it is gone then.",
} as const;
const OF_FIRST_OWNER = { description: "Of the first owner, and only then." } as const;

const EMAIL_LIKE = /^[^\s@<>"(),:;]+@[^\s@<>"(),:;]+\.[^\s@<>"(),:;]+$/;

export const isEmailLike = (email: string): boolean => EMAIL_LIKE.test(email.trim());

const emailRule: Rule = (value) =>
  typeof value !== "string" || isEmailLike(value) ? [] : [valueError("this is no e-mail address")];

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
  // Whatever is typed is tried, so that what is no e-mail is told as what is wrong.
  email: text(254),
  password: PASSWORD,
  remember: { ...BOOLEAN, description: "Keep the session for 30 days." },
  ...CODES,
  tenant_id: {
    ...text(100),
    description: "Where the e-mail has this password in several tenants.",
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

/** The bodies of requests. */
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
      description: "What a page keeps for this person: views, a theme. No secrets.",
    },
    compile,
  ),
};

/** The type of a body. */
export type Body<K extends keyof typeof BODIES> = NonNullable<(typeof BODIES)[K]["typed"]>;

/** A user as administrators see one. */
export const USER = {
  id: STRING,
  name: STRING,
  email: nullable(STRING),
  role: nullable(ROLE),
  status: {
    ...STRING,
    enum: ["invited", "active", "suspended", "token_only"],
    description: "`token_only` has no e-mail: it owns access tokens and does not sign in.",
  },
  has_second_factor: BOOLEAN,
  created_ts: INTEGER,
  created_date: STRING,
  last_used_ts: nullable(INTEGER),
  last_used_date: nullable(STRING),
} as const satisfies Schemas;

export interface User extends Members<typeof USER> {}

/** A link that was made for a user, whose members are next to it. */
const USER_LINK = {
  link: {
    ...STRING,
    description: "Shown this once; the person opens it and sets a password.",
  },
  link_expires_ts: INTEGER,
  emailed: { ...BOOLEAN, description: "Whether it was mailed, too." },
} as const satisfies Schemas;

export interface LinkedUser extends User, Members<typeof USER_LINK> {}

/** A session as its user sees it in the list of their sessions. */
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

/** Who is signed in, and where. */
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
    is_demo: { ...BOOLEAN, description: "Whether its records are demo data." },
  }),
  permissions: {
    type: "array",
    items: STRING,
    description: "All that the role comes down to, those that others include too.",
  },
  session: objectSchema(pick(SESSION, ["id", "created_ts", "expires_ts"])),
} as const satisfies Schemas;

export interface SignedIn extends Members<typeof SIGNED_IN> {}

export const LINK_KINDS = ["invitation", "reset", "first_owner"] as const;

/** What a link shows before it is used. */
const LINK = {
  kind: { ...STRING, enum: LINK_KINDS },
  name: STRING,
  email: { ...nullable(STRING), description: "Null for the first owner, who names one." },
  tenant_name: STRING,
  has_second_factor: {
    ...BOOLEAN,
    description: "Whether a code is asked for, too, as it is at sign-in.",
  },
  expires_ts: INTEGER,
} as const satisfies Schemas;

export interface LinkPreview extends Members<typeof LINK> {}

/** Schemas that openapi.json prints by name. */
export const peopleSchemas: Schemas = {
  ...Object.fromEntries(Object.values(BODIES).map(({ name, schema }) => [name, schema])),
  Person: objectSchema(USER),
  PersonLink: objectSchema({ ...USER, ...USER_LINK }),
  Session: objectSchema(SIGNED_IN),
  PersonSession: objectSchema(SESSION),
  Link: objectSchema(LINK),
  RecoveryCodes: objectSchema({ recovery_codes: { type: "array", items: STRING } }),
};
