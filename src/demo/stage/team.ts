/** Team actions: users join, sign in and leave, and other systems get tokens. */

import { createAccessToken, type Permission } from "../../access/index.ts";
import { logChange } from "../../audit/index.ts";
import { epochSeconds } from "../../platform/clock/index.ts";
import { run, transaction } from "../../platform/database/index.ts";
import type { JsonObject } from "../../platform/json/index.ts";
import { createPerson, type NewPerson, patchPerson } from "../../people/index.ts";
import { unknownPasswordHash } from "../../people/credentials/index.ts";
import { actingAs, type Backstage, ownerCaller, personActor, scopeOf } from "./backstage.ts";

export interface Member extends NewPerson {
  /** Whether the user has a password. It is generated randomly and not kept anywhere. */
  readonly hasJoined: boolean;
}

/** A program that has an access token. */
export interface Program {
  readonly name: string;
  /** The user who owns the token, by the name used in the plan. */
  readonly person: string;
  readonly permissions: readonly Permission[];
}

export function teamActs(backstage: Backstage) {
  const { db, clock, tenant, actors } = backstage;
  let passwordHash: Promise<string> | undefined;
  const note = (subjectId: string, action: string, by: string) =>
    transaction(db, (tx) =>
      logChange({ ...scopeOf(backstage, by), db: tx }, backstage.makeId, {
        subjectType: "person",
        subjectId,
        action,
        fields: action === "password_set" ? { password: [null, "***"] } : {},
      }),
    );
  return {
    join: async (key: string, { hasJoined, name, email, role }: Member): Promise<void> => {
      const wanted = { name, email, role };
      const { permissions } = ownerCaller(backstage);
      const scope = scopeOf(backstage, "owner");
      const { person } = await createPerson(scope, backstage, { permissions }, wanted);
      actors.set(key, personActor(person));
      if (!hasJoined) return;
      const hash = await (passwordHash ??= unknownPasswordHash());
      await run(db)`
        update people set password_hash = ${hash}, last_used_ts = ${epochSeconds(clock)}
         where tenant_id = ${tenant.id} and id = ${person.id}`;
      await run(db)`
        delete from sign_in_links where tenant_id = ${tenant.id} and person_id = ${person.id}`;
      await note(person.id, "password_set", key);
    },
    signIn: async (key: string): Promise<void> => {
      const { id } = actingAs(backstage, key).person;
      await run(db)`
        update people set last_used_ts = ${epochSeconds(clock)}
         where tenant_id = ${tenant.id} and id = ${id}`;
      await note(id, "signed_in", key);
    },
    /** Suspends a user and transfers their work to another user. */
    leave: async (key: string, successor: string): Promise<void> => {
      const { id } = actingAs(backstage, key).person;
      const patch = { status: "suspended" } as const;
      await patchPerson(scopeOf(backstage, "owner"), backstage, ownerCaller(backstage), {
        id,
        patch,
      });
      actors.set(key, actingAs(backstage, successor));
    },
    addProgram: async (key: string, { name, person, permissions }: Program): Promise<void> => {
      const owner = actingAs(backstage, person).person;
      const token = { name, person: owner, permissions };
      const { id } = await createAccessToken(scopeOf(backstage, "owner"), backstage, token);
      actors.set(key, {
        actor: { kind: "token", id, name: owner.name, requestId: null },
        person: owner,
      });
    },
    useProgram: async (key: string): Promise<void> => {
      const { id } = actingAs(backstage, key).actor;
      await run(db)`
        update access_tokens set last_used_ts = ${epochSeconds(clock)}
         where tenant_id = ${tenant.id} and id = ${id}`;
    },
    /** Stores a user's preferences, such as saved views. */
    storePreferences: async (key: string, preferences: JsonObject): Promise<void> => {
      const { id } = actingAs(backstage, key).person;
      await run(db)`
        update people set preferences = ${JSON.stringify(preferences)}::text::json
         where tenant_id = ${tenant.id} and id = ${id}`;
    },
  };
}
