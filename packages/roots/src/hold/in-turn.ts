/** Node.js works on files in four threads. Disks that do not answer may keep two: the others go on. */
const MOST_AT_ONCE = 2;

const waiting: (() => void)[] = [];
let running = 0;

/** The same call, but of all that were made so only {@link MOST_AT_ONCE} run at a time; the others wait their turn. */
export function inTurn<Arguments extends readonly unknown[], Value>(
  call: (...given: Arguments) => Promise<Value>,
): (...given: Arguments) => Promise<Value> {
  return async (...given) => {
    if (running < MOST_AT_ONCE) running += 1;
    else await new Promise<void>((resume) => waiting.push(resume));
    try {
      return await call(...given);
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
