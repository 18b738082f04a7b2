import { ToolError } from '@org/mcp-decorators';

import { SECRET } from './arena.mjs';
import { whileExchanging } from './exchanging.mjs';

/** What a client is told of an error that nobody foresaw. */
export const INTERNAL = 'INTERNAL';

/** So many times as many attempts are made at most until what is waited for has happened. */
const MOST = 50;

/**
 * Attempts something again and again while what it is about is exchanged. An attempt resolves to all that it showed, or fails with a
 * `ToolError`; it leaks if something from outside is in either, something outside was touched, or what it reported was not done.
 *
 * `tell` names the outcome of what was not refused.
 *
 * @param least attempts; more are made until it leaked, if that is `wanted`, else until its outcome was not always the same
 */
export async function race({ pair, prepare, attempt, tell, isDone, wanted }, arena, least) {
  const outcomes = {};
  let attempts = 0;
  let leaks = 0;
  const isSeen = () => (wanted ? leaks > 0 : Object.keys(outcomes).length > 1);
  return whileExchanging(arena.pairs[pair], async () => {
    while (attempts < least || (!isSeen() && attempts < least * MOST)) {
      prepare?.(arena);
      const { outcome, shown } = await outcomeOf(attempt, tell);
      attempts += 1;
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      const isAstray = outcome === 'allowed' && isDone?.(arena) === false;
      if (arena.wasTouched() || shown.includes(SECRET) || isAstray) leaks += 1;
    }
    return { attempts, leaks, outcomes };
  });
}

async function outcomeOf(attempt, tell = () => 'allowed') {
  try {
    const shown = String(await attempt());
    return { outcome: tell(shown), shown };
  } catch (error) {
    // As a client is told.
    return ToolError.is(error) ? { outcome: error.code, shown: error.text } : { outcome: INTERNAL, shown: '' };
  }
}
