/** The first module of a package: src/main.ts, with stack traces that name the TypeScript sources. */

import "./stack-traces.ts";
import "../../src/main.ts";
