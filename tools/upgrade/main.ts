/**
 * Tests of upgrades that take long or download packages. `npm run test:upgrade` upgrades from all releases,
 * `npm run test:upgrade -- postgres` moves to the next major version of PostgreSQL, and
 * `npm run test:upgrade -- previous` runs the tests of the previous release on this checkout's schema.
 */

const [, , name] = process.argv;
if (name === "postgres" || name === "previous") process.argv.splice(2, 1);
if (name === "postgres") await import("./postgres.ts");
else if (name === "previous") await import("./previous-suite.ts");
else await import("./upgrade.ts");
