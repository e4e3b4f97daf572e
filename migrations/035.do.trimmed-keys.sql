-- Email addresses and phone numbers are compared without surrounding spaces, so their columns contain them trimmed. The
-- bodies keep the spaces. These are the characters that trim() of JavaScript removes.
create function trimmed_key(key text) returns text language sql immutable parallel safe
return regexp_replace(
  key,
  '^[ \t\n\v\f\r\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+|[ \t\n\v\f\r\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+$',
  '', 'g');

update leads
   set email_list = array(select trimmed_key(key) from unnest(email_list) key),
       phone_list = array(select trimmed_key(key) from unnest(phone_list) key)
 where exists (select from unnest(email_list || phone_list) key where key <> trimmed_key(key));

update contacts
   set email_list = array(select trimmed_key(key) from unnest(email_list) key),
       phone_list = array(select trimmed_key(key) from unnest(phone_list) key)
 where exists (select from unnest(email_list || phone_list) key where key <> trimmed_key(key));

update accounts
   set email_list = array(select trimmed_key(key) from unnest(email_list) key),
       phone_list = array(select trimmed_key(key) from unnest(phone_list) key)
 where exists (select from unnest(email_list || phone_list) key where key <> trimmed_key(key));

drop function trimmed_key(text);
