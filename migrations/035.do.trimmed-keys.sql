-- Email addresses and phone numbers are compared without surrounding spaces, so their columns contain them trimmed. The
-- bodies keep the spaces. These are the characters that trim() of JavaScript removes.
create function trimmed_key(key text) returns text language sql immutable parallel safe
return btrim(
  key,
  E' \t\n\u000b\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff');

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
