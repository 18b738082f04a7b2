import { createHash } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { parseTokenLines } from '../../src/auth/token-lines.ts';

const TOKEN = 'c2VjcmV0LXRva2Vu';
const HASH = createHash('sha256').update(TOKEN).digest('hex');
const NEVER = 253_402_300_799;

describe('a line of a token file', () => {
  it.each<[string, line: string, found: object]>([
    ['has a client, a token and scopes', `ada ${TOKEN} read write`, { plain: true, scopes: ['read', 'write'], expiresAt: NEVER }],
    ['has a hash in place of the token', `ada sha256:${HASH} read`, { plain: false }],
    ['has a hash in capitals', `ada SHA256:${HASH.toUpperCase()} read`, { plain: false }],
    ['has columns', `  ada\t\t${TOKEN}   read  `, { scopes: ['read'] }],
    ['ends with a comment', `ada ${TOKEN} read # until she leaves`, { scopes: ['read'] }],
    ['ends with a day', `ada ${TOKEN} read expires=2027-01-31`, { expiresAt: Date.UTC(2027, 0, 31) / 1000 }],
    ['ends with a moment', `ada ${TOKEN} expires=2027-01-31T12:30:00Z read`, { expiresAt: Date.UTC(2027, 0, 31, 12, 30) / 1000 }],
    ['has a scope with a colon', `ada ${TOKEN} files:write`, { scopes: ['files:write'] }],
    ['begins with a byte order mark', `\uFEFFada ${TOKEN} read`, {}],
    ['ends as on Windows', `ada ${TOKEN} read\r\n`, { scopes: ['read'] }],
  ])('%s', (_, line, found) => {
    const { tokens, problems } = parseTokenLines(line);
    expect(problems).toEqual([]);
    expect(tokens).toEqual([expect.objectContaining({ line: 1, clientId: 'ada', ...found })]);
    expect(tokens[0]?.digest.toString('hex')).toBe(HASH);
  });

  it('may be empty or a comment', () => {
    const { tokens, problems } = parseTokenLines(`# tokens\n\n  # of the team\nada ${TOKEN} read\n`);
    expect({ lines: tokens.map(({ line }) => line), problems }).toEqual({ lines: [4], problems: [] });
  });

  it.each<[string, line: string, problem: string]>([
    ['no token', 'ada', 'it has no token; a line is CLIENT TOKEN SCOPE…'],
    ['a short token', 'ada c2VjcmV0LXRva2U read', 'the token is shorter than 16 characters'],
    [
      'a token that no header carries',
      `ada "${TOKEN}" read`,
      'the token may have letters, digits and - . _ ~ + / alone, and = at its end',
    ],
    ['a hash that is too short', 'ada sha256:c2VjcmV0 read', 'after sha256: there must be 64 hexadecimal digits'],
    [
      'a hash of another kind',
      `ada md5:${HASH} read`,
      'the token may have letters, digits and - . _ ~ + / alone, and = at its end',
    ],
    ['no scope', `ada ${TOKEN}`, 'it has no scope; read and write are those of tools that name none'],
    ['no scope before the comment', `ada ${TOKEN} # read`, 'it has no scope; read and write are those of tools that name none'],
    ['a scope that is none', `ada ${TOKEN} "read"`, 'a scope must be printable ASCII without double quotes and backslashes'],
    ['a client that is not ASCII', `adä ${TOKEN} read`, 'the client must be printable ASCII'],
    ...[
      'expires=',
      'expires=soon',
      'expires=2027-02-30',
      'expires=2027-01-31T12:00:00',
      'expire=2027-01-31',
      'expires=2027-01-31 expires=2028-01-31',
    ].map((setting): [string, string, string] => [
      setting,
      `ada ${TOKEN} read ${setting}`,
      'what has "=" must be one expires=2027-01-31 or expires=2027-01-31T12:00:00Z',
    ]),
  ])('is wrong with %s', (_, line, problem) => {
    expect(parseTokenLines(`# tokens\n${line}`)).toEqual({ tokens: [], problems: [`in line 2: ${problem}`] });
  });

  it('may not have the token of another, whichever way it is written', () => {
    const { problems } = parseTokenLines(`ada ${TOKEN} read\ngrace ${TOKEN}2 read\ngrace sha256:${HASH} write`);
    expect(problems).toEqual(['in line 3: it has the same token as line 1']);
  });

  it('is never repeated in what is wrong with it', () => {
    const words = [TOKEN, `sha256:${TOKEN}`, `${TOKEN}=1`, `"${TOKEN}"`, `${TOKEN}ä`, 'ada'];
    const lines = words.flatMap((first) => words.flatMap((second) => words.map((third) => `${first} ${second} ${third}`)));
    expect(parseTokenLines(lines.join('\n')).problems.join('\n')).not.toMatch(new RegExp(`${TOKEN.slice(0, 5)}|ada`));
  });
});

describe('a token file', () => {
  it.each(['', '\n\n', '# ada'])('may contain no token: %j', (text) => {
    expect(parseTokenLines(text)).toEqual({ tokens: [], problems: [] });
  });

  it('may hold 1,000 tokens', () => {
    const lines = Array.from({ length: 1001 }, (_, index) => `ada ${TOKEN}${index} read`);
    expect(parseTokenLines(lines.slice(1).join('\n')).problems).toEqual([]);
    expect(parseTokenLines(lines.join('\n')).problems).toEqual(['holds 1001 tokens, and 1000 are allowed']);
  });
});
