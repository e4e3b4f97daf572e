/** Who you are and what you may do: tenants, people, tokens, permissions, address lists. */

export {
  ADDRESS_LIST_SCHEMA,
  addressRange,
  createAddressList,
  plainAddress,
} from "./address-list.ts";
export { scopeOf, tokenCredential, type Caller, type Person, type Tenant } from "./caller.ts";
export { PERMISSIONS, grants, isPermission, type Permission } from "./permissions.ts";
export { accessOperations, accessSchemas } from "./routes.ts";
export { createTenant, findOrAddPerson, findTenant } from "./tenants.ts";
export { createAccessToken, createTokenRegistry, drawSecret, hashOf } from "./tokens.ts";
