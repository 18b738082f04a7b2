import { ToolError } from '@org/mcp-decorators';

import { SECRET } from './arena.mjs';
import { whileExchanging } from './exchanging.mjs';

const ALLOWED = 'allowed';

/** What a client is told of an error that nobody foresaw. */
export const INTERNAL = 'INTERNAL';

/** So many attempts are made at most until what is waited for has happened: a machine that is busy may exchange rarely. */
const MOST = 20_000;

/**
 * Attempts something again and again while what it is about is exchanged. An attempt resolves to all that it showed, or fails with a
 * `ToolError`; it leaks if something from outside is in either, something outside was touched, or what it reported was not done.
 *
 * @param attempt `tell` names the outcome of what was not refused, which is otherwise `allowed`. `hoped` is the outcome of an attempt
 *   that no exchange disturbs
 * @param least attempts; more are made until one leaked, if that is `wanted`, else until some ended as hoped and some otherwise
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

/** An attempt that always ends the same way proves nothing. */
function wasRaced({ wanted, hoped = ALLOWED }, { leaks, outcomes }) {
  return wanted ? leaks > 0 : outcomes[hoped] > 0 && Object.keys(outcomes).length > 1;
}

async function outcomeOf({ attempt, tell = () => ALLOWED }) {
  try {
    const shown = String(await attempt());
    return { outcome: tell(shown), shown };
  } catch (error) {
    // As a client is told.
    return ToolError.is(error) ? { outcome: error.code, shown: error.text } : { outcome: INTERNAL, shown: '' };
  }
}
