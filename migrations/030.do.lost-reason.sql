-- Deals have a `lost_reason`. Bodies are returned as they are stored, so those that were stored earlier get it as
-- null, in the place where new bodies have it. Names hold quotes and backslashes only behind a backslash.
update deals
   set body = regexp_replace(
     body::text,
     '^(\{"_id":"[^"]*","id":"[^"]*","name":"(?:[^"\\]|\\.)*","account_id":[^,]*,"contact_id":[^,]*,"stage":"[^"]*")',
     '\1,"lost_reason":null')::json
 where body->'lost_reason' is null;
