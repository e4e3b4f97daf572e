-- A push reads the open pushes of its person with src/exchange/push/facts.ts.
drop function open_pushes(uuid, text, text);
drop function open_pushes_seen(uuid, text, text);
