-- Demo data no longer needs a function that replaces the clock of a connection (src/demo/stage/demo-clock.ts).
drop function demo_time.clock_timestamp();
drop schema demo_time;
