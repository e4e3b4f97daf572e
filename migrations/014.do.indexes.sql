-- The dates of deliveries are found by their ids, which tell the second too: the index that each promise
-- and each attempt paid for is not read any more. Dropping it waits for the statements that use the table
-- and holds up no writer longer than they take.
drop index deliveries_created_ts;
