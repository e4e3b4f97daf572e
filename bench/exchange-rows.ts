/** The statements that insert contacts, pushed leads, their history and attributions. */

/**
 * Creates a contact for each lead, with the same timestamps but a different email address and phone number. One in
 * fifty came from a partner. Parameters: the tenant, and the partners' ids.
 */
export const FILL_CONTACTS = `
  insert into contacts (tenant_id, id, body, status, lead_source, name, employer_name, profession,
                        title, tags, email_list, phone_list, created_ts, updated_ts,
                        status_update_date, version)
  select l.tenant_id, k.id,
         regexp_replace(
           replace(replace(replace(replace(replace(
             l.body::text, l.id, k.id), 'Lead.', 'Contact.'), '"(212)', '"(646)'),
             '"phone":"1212', '"phone":"1646'), '"external_id":null', '"external_id":null,"account_id":null'),
           '"lead_status":"[^"]*","match_preferences_dict":null,.*"pushed_lead_id":null',
           '"marketing_source":"' || l.lead_source || '","match_preferences_dict":null,' ||
           '"source_lead_id":null,"partner_id":' || coalesce('"' || k.partner_id || '"', 'null') ||
           ',"pushed_lead_id":null')::json,
         l.lead_status, l.lead_source, l.name, l.employer_name, l.profession, l.title, l.tags,
         array(select replace(e, 'lead.', 'contact.') from unnest(l.email_list) e),
         array(select regexp_replace(p, '^1212', '1646') from unnest(l.phone_list) p),
         l.created_ts, l.updated_ts, l.status_update_date, l.version
    from (select *, row_number() over (order by id) as n from leads where tenant_id = $1::uuid) l,
         lateral (select left(l.id, 16) || left(md5(l.id), 8) as id,
                         case when l.n % 50 = 0
                              then ($2::text[])[1 + (l.n / 50) % cardinality($2::text[])] end
                         as partner_id) k`;

/**
 * Pushed leads of all partners, spread over the given seconds. Of every twenty, four are pending, three accepted, eight
 * imported, three rejected and two expired. Two of the pending leads expire in a year. Parameters: the tenant, the
 * partners' ids, the number of leads, the first second, and the number of seconds.
 */
export const FILL_PUSHED = `
  insert into pushed_leads (tenant_id, id, partner_id, name, email, phone, email_key, phone_key,
                            source, status, possible_duplicate, comments, submitted_ts,
                            expiration_ts, rejection_reason, imported_lead_id)
  select $1::uuid, k.id, p.id, 'Person ' || n, 'Pushed.' || n || '@mail.example.org', null,
         'pushed.' || n || '@mail.example.org', null,
         p.allowed_marketing_sources[1 + n % 2], k.status, n % 9 = 0, 'Met at a trade fair.',
         k.submitted_ts,
         case when k.status = 'expired' then k.submitted_ts + 3600
              when k.state < 2 then extract(epoch from now()) + 31536000 end,
         case when k.status = 'rejected' then 'Not in our region' end,
         case when k.status = 'imported' then left(k.id, 16) || left(md5(k.id), 8) end
    from generate_series(0, $3::integer - 1) n
   cross join lateral (select floor($4::bigint + n::numeric / $3 * $5::bigint)::bigint as submitted_ts,
                         (n / 10) % 20 as state) s
   cross join lateral (select s.*, lpad(to_hex(s.submitted_ts), 8, '0') || lpad(to_hex(n % 1048576), 5, '0') ||
                         '000' || left(md5(n::text), 8) as id,
                         case when state < 4 then 'pending' when state < 7 then 'accepted'
                              when state < 15 then 'imported' when state < 18 then 'rejected'
                              else 'expired' end as status) k
    join partners p on p.tenant_id = $1::uuid and p.id = ($2::text[])[1 + n % cardinality($2::text[])]`;

/** The status history of each pushed lead. Parameter: the tenant. */
export const FILL_HISTORY = `
  insert into changes (tenant_id, id, at, subject_type, subject_id, action, actor_kind, actor_id,
                       actor_name, fields)
  select p.tenant_id, left(p.id, 13) || lpad(to_hex(s.place), 3, '0') || left(md5(p.id), 8),
         to_timestamp(p.submitted_ts + s.place * 1800), 'pushed_lead', p.id,
         case when s.place = 1 then 'pushed' else s.towards end, s.kind, s.kind, s.kind,
         case when s.place = 1
              then json_build_object('name', json_build_array(null, p.name),
                                     'email', json_build_array(null, p.email),
                                     'source', json_build_array(null, p.source),
                                     'comments', json_build_array(null, p.comments),
                                     'status', json_build_array(null, 'pending'))
              else json_build_object('status', json_build_array(s.since, s.towards)) end
    from pushed_leads p,
         lateral (values (1, null, 'pending', 'partner', true),
                         (2, 'pending', 'accepted', 'token', p.status in ('accepted', 'imported')),
                         (3, 'accepted', 'imported', 'token', p.status = 'imported'),
                         (2, 'pending', 'rejected', 'token', p.status = 'rejected'),
                         (2, 'pending', 'expired', 'service', p.status = 'expired'))
                 s(place, since, towards, kind, happened)
   where p.tenant_id = $1::uuid and s.happened`;

/** The attributions of imported leads. Parameter: the tenant. */
export const FILL_PERSONS = `
  insert into attributions (tenant_id, person_key, partner_id, pushed_lead_id, lead_id)
  select tenant_id, 'email:' || email_key, partner_id, id, imported_lead_id
    from pushed_leads where tenant_id = $1::uuid and status = 'imported'`;
