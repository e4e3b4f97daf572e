/** Whether requests get slower as a tenant grows: the same workloads with test data of two sizes. */

import { filled } from "../loads/fill.ts";
import { groundOf, loadOf } from "../loads/requests.ts";
import { FILLED_OPTIONS, placeOf, type Benchmark } from "../options.ts";
import { openArena, type Arena } from "./arena.ts";
import { headText } from "./results.ts";
import { pairedRounds, shown, shownText } from "./rounds.ts";

const SMALL = 10_000;
const LOADS = ["W1", "W2", "W3", "W4", "W5", "W6"];
/** A tenant with few leads may be served at most 1.3 times as fast. */
const BAR = 1 / 1.3;
const TURN = { connections: 16, for_s: 10, rounds: 3 };

export const growth: Benchmark = {
  does: "Requests per second of a tenant with many leads, compared with one with 10,000",
  options: FILLED_OPTIONS,
  run: async (values) => {
    const arenas: Arena[] = [];
    try {
      const sides = [];
      for (const { rows, dataDir } of [placeOf(values), placeOf({}, SMALL)]) {
        await filled(dataDir, rows);
        const arena = await openArena(dataDir);
        arenas.push(arena);
        sides.push({
          arena,
          ground: await groundOf(arena.service, arena.database, { rows, ...arena }),
        });
      }
      console.log(
        headText("workload", "", "target", "ratio", "result", "many leads", "10,000 leads"),
      );
      let isMet = true;
      for (const name of LOADS) {
        const { ask, isPartners } = loadOf(name);
        const [many, few] = sides.map(({ arena, ground }) =>
          arena.serviceArm(ask(ground), isPartners),
        );
        if (many === undefined || few === undefined) throw new Error("A side is missing");
        const result = shown({ name, what: "", bar: BAR }, await pairedRounds(many, few, TURN));
        console.log(shownText(result));
        isMet &&= result.isMet;
      }
      return isMet;
    } finally {
      for (const arena of arenas) await arena.stop();
    }
  },
};
