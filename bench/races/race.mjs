import { ToolError } from '@org/mcp-decorators';

import { SECRET } from './arena.mjs';
import { whileExchanging } from './exchanging.mjs';

const ALLOWED = 'allowed';

/** The code that clients receive for an unexpected error. */
export const INTERNAL = 'INTERNAL';

/** Maximum number of attempts until the expected event happens: a busy machine may exchange rarely. */
const MOST = 20_000;

/**
 * Repeats an attempt while its paths are exchanged. An attempt resolves to all its output, or fails with a `ToolError`.
 * It leaks if its output or error contains text from outside, if it changed something outside, or if it did not do what
 * it reported.
 * @param attempt `tell` returns the outcome of an attempt that was not rejected; default: `allowed`. `hoped` is the
 * outcome of an attempt that no exchange disturbs
 * @param least minimum number of attempts. Further attempts follow until one has leaked (if `wanted`), otherwise until
 * some have ended as hoped and some have not
 */
export async function race(attempt, arena, least) {
  const tally = { attempts: 0, leaks: 0, outcomes: {} };
  return whileExchanging(arena.pairs[attempt.pair], async () => {
    while (tally.attempts < least || (!wasRaced(attempt, tally) && tally.attempts < MOST)) {
      attempt.prepare?.(arena);
      const ended = await outcomeOf(attempt);
      tally.attempts += 1;
      tally.outcomes[ended.outcome] = (tally.outcomes[ended.outcome] ?? 0) + 1;
      if (isLeak(attempt, arena, ended)) tally.leaks += 1;
    }
    return { ...tally, wasRaced: wasRaced(attempt, tally) };
  });
}

function isLeak({ isDone }, arena, { outcome, shown }) {
  const isAstray = outcome === ALLOWED && isDone?.(arena) === false;
  return arena.wasTouched() || shown.includes(SECRET) || isAstray;
}

/** Whether the exchanges disturbed only some of the attempts. An attempt that always ends the same way proves nothing. */
function wasRaced({ wanted, hoped = ALLOWED }, { leaks, outcomes }) {
  return wanted ? leaks > 0 : outcomes[hoped] > 0 && Object.keys(outcomes).length > 1;
}

async function outcomeOf({ attempt, tell = () => ALLOWED }) {
  try {
    const shown = String(await attempt());
    return { outcome: tell(shown), shown };
  } catch (error) {
    // `shown` is the text that a client receives. For any other error, a client receives a fixed text, which contains nothing
    // from outside.
    return ToolError.is(error) ? { outcome: error.code, shown: error.text } : { outcome: INTERNAL, shown: '' };
  }
}
