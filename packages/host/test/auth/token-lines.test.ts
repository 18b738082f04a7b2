import { createHash } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { parseTokenLines } from '../../src/auth/token-lines.ts';

const TOKEN = 'c2VjcmV0LXRva2Vu';
const HASH = createHash('sha256').update(TOKEN).digest('hex');
const NEVER = 253_402_300_799;

describe('a line of a token file', () => {
  it.each<[string, line: string, found: object]>([
    ['has a client, a token and scopes', `ada ${TOKEN} read write`, { plain: true, scopes: ['read', 'write'], expiresAt: NEVER }],
    ['has a hash instead of the token', `ada sha256:${HASH} read`, { plain: false }],
    ['has a hash in upper case', `ada SHA256:${HASH.toUpperCase()} read`, { plain: false }],
    ['has columns that are separated by several spaces or tabs', `  ada\t\t${TOKEN}   read  `, { scopes: ['read'] }],
    ['ends with a comment', `ada ${TOKEN} read # until she leaves`, { scopes: ['read'] }],
    ['ends with an expiry date', `ada ${TOKEN} read expires=2027-01-31`, { expiresAt: Date.UTC(2027, 0, 31) / 1000 }],
    [
      'ends with an expiry date and time',
      `ada ${TOKEN} expires=2027-01-31T12:30:00Z read`,
      { expiresAt: Date.UTC(2027, 0, 31, 12, 30) / 1000 },
    ],
    ['has a scope with a colon', `ada ${TOKEN} files:write`, { scopes: ['files:write'] }],
    ['begins with a byte order mark', `\uFEFFada ${TOKEN} read`, {}],
    ['has a Windows line ending', `ada ${TOKEN} read\r\n`, { scopes: ['read'] }],
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
    ['no token', 'ada', 'the token is missing; the form of a line is CLIENT TOKEN SCOPE…'],
    ['a short token', 'ada c2VjcmV0LXRva2U read', 'the token is shorter than 16 characters'],
    [
      'a token that cannot be sent in a header',
      `ada "${TOKEN}" read`,
      'the token may contain only letters, digits and - . _ ~ + /, and = at the end',
    ],
    ['a hash that is too short', 'ada sha256:c2VjcmV0 read', 'sha256: must be followed by 64 hexadecimal digits'],
    [
      'a hash of another algorithm',
      `ada md5:${HASH} read`,
      'the token may contain only letters, digits and - . _ ~ + /, and = at the end',
    ],
    ['no scope', `ada ${TOKEN}`, 'the scope is missing; tools without scopes of their own need read or write'],
    [
      'no scope before the comment',
      `ada ${TOKEN} # read`,
      'the scope is missing; tools without scopes of their own need read or write',
    ],
    ['an invalid scope', `ada ${TOKEN} "read"`, 'a scope must be printable ASCII without double quotes and backslashes'],
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
      'the only setting is expires=2027-01-31 or expires=2027-01-31T12:00:00Z, at most once',
    ]),
  ])('is invalid with %s', (_, line, problem) => {
    expect(parseTokenLines(`# tokens\n${line}`)).toEqual({ tokens: [], problems: [`in line 2: ${problem}`] });
  });

  it('must not repeat the token of another line, as a token or as a hash', () => {
    const { problems } = parseTokenLines(`ada ${TOKEN} read\ngrace ${TOKEN}2 read\ngrace sha256:${HASH} write`);
    expect(problems).toEqual(['in line 3: the token is the same as in line 1']);
  });

  it('is never quoted in its mistake', () => {
    const words = [TOKEN, `sha256:${TOKEN}`, `${TOKEN}=1`, `"${TOKEN}"`, `${TOKEN}ä`, 'ada'];
    const lines = words.flatMap((first) => words.flatMap((second) => words.map((third) => `${first} ${second} ${third}`)));
    expect(parseTokenLines(lines.join('\n')).problems.join('\n')).not.toMatch(new RegExp(`${TOKEN.slice(0, 5)}|ada`));
  });
});

describe('a token file', () => {
  it.each(['', '\n\n', '# ada'])('may contain no token: %j', (text) => {
    expect(parseTokenLines(text)).toEqual({ tokens: [], problems: [] });
  });

  it('may contain at most 1,000 tokens', () => {
    const lines = Array.from({ length: 1001 }, (_, index) => `ada ${TOKEN}${index} read`);
    expect(parseTokenLines(lines.slice(1).join('\n')).problems).toEqual([]);
    expect(parseTokenLines(lines.join('\n')).problems).toEqual(['contains 1001 tokens; the maximum is 1000']);
  });
});
