import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { attackTexts, type AttackText } from './regular-expressions/attack-texts.ts';
import { expressionsIn, findExpressions, type SourceExpression } from './regular-expressions/find-expressions.ts';
import { superLinear, type Trial } from './regular-expressions/growth.ts';

const WORKSPACE = fileURLToPath(new URL('..', import.meta.url));

/** Whether more texts are tried for each expression, which takes minutes instead of seconds. */
const EXHAUSTIVE = process.env['MCP_TEST_EXPRESSIONS'] === 'exhaustive';

const TIMEOUT_MS = EXHAUSTIVE ? 3_600_000 : 300_000;

/** Files that build expressions at run time, with the reason why these expressions are fast. */
const DYNAMIC: Readonly<Record<string, string>> = {
  'packages/decorators/src/schema/rule-schemas.ts':
    'compiles the literals of `@Matches()` again, and these literals are tested here',
  'servers/fs/src/search/required-sequence.ts': 'compiles a part of the pattern of a search, without repetitions',
  'servers/fs/src/search/pattern.ts': 'compiles the pattern of a search, which runs in a thread with a deadline',
};

describe('the regular expressions in the sources', () => {
  it(
    'take time proportional to the length of any text',
    async () => {
      const { expressions } = await findExpressions(WORKSPACE);
      expect(expressions.length).toBeGreaterThan(300);
      expect(expressions.flatMap(slowness)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it('are constant, except in the files that are listed with a reason', async () => {
    const { dynamic } = await findExpressions(WORKSPACE);
    expect([...new Set(dynamic)].sort()).toEqual(Object.keys(DYNAMIC).sort());
  });
});

describe('the search for slow expressions', () => {
  it.each([
    ['nested quantifiers', String.raw`const NAME = /^("(?:[^"]|"")+")+x$/;`],
    ['a trailing repetition without an anchor', String.raw`text.replace(/\n+$/, '');`],
    ['adjacent repetitions of the same character', String.raw`/^\s*#?\s*$/.test(line);`],
    ['a repetition that starts again at every occurrence of a word', String.raw`/name '[^]*' not found/.exec(text);`],
    ['a separator that begins with a repetition', String.raw`text.split(/\s+$/);`],
    ['a constructor with a constant text', "const SPACE = String.raw`\\s`; new RegExp(`^(${SPACE}|x)+(${SPACE}|y)+$`, 'u');"],
    ['overlapping alternatives that are repeated', String.raw`/^(?:a|b|ab)*$/.test(text);`],
  ])('finds %s', (_, text) => {
    const { expressions } = expressionsIn('planted.ts', text);
    expect(expressions.flatMap(slowness)).toEqual([expect.stringContaining('planted.ts:1')]);
  });

  it.each([
    ['an anchored repetition', String.raw`/^\s+/.exec(text);`],
    ['a repetition between different characters', String.raw`/"[^"]*"|'[^']*'/g.exec(text);`],
    ['one character', String.raw`text.replaceAll(/[\n\r]/g, ' ');`],
    ['bounded repetitions', String.raw`/^[a-z]{1,64}-\d{1,9}$/.test(text);`],
  ])('accepts %s', (_, text) => {
    const { expressions } = expressionsIn('planted.ts', text);
    expect(expressions).toHaveLength(1);
    expect(expressions.flatMap(slowness)).toEqual([]);
  });
});

function slowness(expression: SourceExpression): readonly string[] {
  const { place, source, flags } = expression;
  const attacks = attackTexts(source, flags, { exhaustive: EXHAUSTIVE });
  const attack = superLinear(trialOf(expression), attacks);
  return attack === undefined ? [] : [`${place} /${source}/${flags} on ${shown(attack)}`];
}

/**
 * Returns a trial that applies the expression as the code uses it. A global expression, a sticky expression or a separator is
 * searched for throughout the text. Any other expression is searched for once.
 */
function trialOf({ source, flags, splits }: SourceExpression): Trial {
  const everywhere = new RegExp(source, `${flags.replaceAll(/[gy]/g, '')}g`);
  const once: Trial = (text) => {
    everywhere.lastIndex = 0;
    everywhere.test(text);
  };
  const throughout: Trial = (text) => {
    everywhere.lastIndex = 0;
    for (let end = -1; everywhere.test(text); end = everywhere.lastIndex)
      everywhere.lastIndex += Number(everywhere.lastIndex === end);
  };
  return splits || /[gy]/.test(flags) ? throughout : once;
}

function shown({ prefix, pump, suffix }: AttackText): string {
  return `${JSON.stringify(prefix)}, ${JSON.stringify(pump)} repeated, ${JSON.stringify(suffix)}`;
}
