/**
 * Statements of the bare server, most of which limit.ts also runs with pgbench. `$1` is the tenant's
 * id; the other parameters are named in the comments.
 */

export const PAGE = "order by id desc limit 51";

/** Lists leads by status. `$2`: the status. */
export const LIST = `
  select body, id from leads where tenant_id = $1 and lead_status = $2 ${PAGE}`;

/**
 * Finds leads by email address. `$2`: the address. As in the service, `offset 0` is needed because PostgreSQL's generic
 * plan is slow without it.
 */
export const FIND = `
  select body, id from (select body, id from leads
                         where tenant_id = $1 and email_list @> array[$2::text] offset 0) m ${PAGE}`;

/** The leads of a time window, newest first. `$2` and `$3`: its first and last second. */
export const WINDOW = `
  select body from leads where tenant_id = $1 and created_ts >= $2 and created_ts <= $3
   order by created_ts desc, id desc`;

/** All leads since a time, oldest first. `$2`: the first second. */
export const LINES = `
  select body from leads where tenant_id = $1 and created_ts >= $2 order by created_ts, id`;

const person = (table: string): string => `
  (select id, name, created_ts
     from (select id, name, created_ts from ${table}
            where tenant_id = $1 and email_list @> array[$2::text] offset 0) m
    order by created_ts desc, id desc limit 1)`;

/** Looks up a person among leads and contacts. `$2`: an email address. */
export const LOOK_UP = `${person("leads")} union all ${person("contacts")}`;

/**
 * Stores a change in the same statement as the write. `w` contains the record's new id and version. `$2`: the change's
 * id, `$3`: the action, `$4`: the changed fields as JSON.
 */
const LOGGED = `
  insert into changes (tenant_id, id, at, subject_type, subject_id, action, version,
                       actor_kind, actor_id, actor_name, fields, request_id)
  select $1::uuid, $2::text, clock_timestamp(), 'lead', w.id, $3::text, w.version,
         'token', $1::text, 'bare', $4::text::json, $2::text
    from w`;

/**
 * Creates a lead. `$5`: id, `$6`: body, `$7`: status, `$8`: source, `$9`: name, `$10`: employer, `$11`: profession,
 * `$12`: title, `$13`: tags, `$14`: email addresses, `$15`: phone numbers, `$16`: the current time in seconds.
 */
export const CREATE = `
  with w as (
    insert into leads (tenant_id, id, body, lead_status, lead_source, name, employer_name, profession,
                       title, tags, email_list, phone_list, created_ts, updated_ts, status_update_date, version)
    values ($1::uuid, $5, $6::text::json, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16, $16, 1)
    returning id, version)
  ${LOGGED}`;

/** Changes a lead's status. `$5`: id, `$6`: the new status, `$7`: the current time in seconds. */
export const UPDATE = `
  with w as (
    update leads set lead_status = $6::text, updated_ts = $7, status_update_date = $7, version = version + 1,
           body = regexp_replace(regexp_replace(body::text, '"((lead_)?status)":"[^"]*"',
                    '"\\1":"' || $6::text || '"', 'g'),
                    '"version":[0-9]+}', '"version":' || version + 1 || '}')::json
     where tenant_id = $1::uuid and id = $5
    returning id, version, body),
  logged as (${LOGGED})
  select body from w`;

/**
 * Adds a pushed lead. `$5`: id, `$6`: partner, `$7`: name, `$8`: email address, `$9`: phone number, `$10`: source,
 * `$11`: the email address in lowercase, `$12`: the current time in seconds.
 */
export const PUSH = `
  with w as (
    insert into pushed_leads (tenant_id, id, partner_id, name, email, phone, source, email_key, phone_key,
                              status, possible_duplicate, submitted_ts)
    values ($1::uuid, $5, $6, $7, $8, $9, $10, $11, $9, 'pending', false, $12)
    returning id, 1 as version)
  ${LOGGED}`;
