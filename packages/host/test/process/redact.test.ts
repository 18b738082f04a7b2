import { describe, expect, it } from 'vitest';

import { redact } from '../../src/process/redact.ts';

describe('a secret', () => {
  it.each([
    ['a URL', 'connecting to postgres://ada:s3cret@db:5432/x', 'connecting to postgres://ada:***@db:5432/x'],
    ['a URL without a user', 'redis://:s3cret@cache', 'redis://:***@cache'],
    ['a URL whose password has an @', 'postgres://ada:s3@cret@db/x', 'postgres://ada:***@db/x'],
    ['a URL with a scheme of several parts', 'git+https://ada:s3cret@host/x.git', 'git+https://ada:***@host/x.git'],
    ['each of two URLs', 'http://a:s3cret@x http://b:s3cret@y', 'http://a:***@x http://b:***@y'],
    ['a header', 'Authorization: Bearer eyJhbGciOi.s3cret-_~+/=', 'Authorization: Bearer ***'],
    ['an Authorization header with the scheme Basic', 'authorization: basic czNjcmV0OnMzY3JldA==', 'authorization: basic ***'],
    ['an assignment', 'password=s3cret user=ada', 'password=*** user=ada'],
    ['an assignment with spaces', 'token = s3cret', 'token = ***'],
    ['a sentence', 'the API key: s3cret', 'the API key: ***'],
    ['a query', 'GET /x?api_key=s3cret&y=1', 'GET /x?api_key=***&y=1'],
    ['JSON', '{"password":"s3cret","user":"ada"}', '{"password":"***","user":"ada"}'],
    ['JSON with a comma in it', '{"password":"s3cret, s3cret","user":"ada"}', '{"password":"***","user":"ada"}'],
    ['a quoted value with spaces', "passwd: 's3cret s3cret' rest", "passwd: '***' rest"],
    ['a longer name in snake case', 'client_secret=s3cret', 'client_secret=***'],
    ['a longer name in camel case', 'accessToken: "s3cret"', 'accessToken: "***"'],
    ['an environment variable', 'PGPASSWORD=s3cret GITHUB_TOKEN=s3cret', 'PGPASSWORD=*** GITHUB_TOKEN=***'],
    ['a cloud key', 'AWS_SECRET_ACCESS_KEY=s3cret', 'AWS_SECRET_ACCESS_KEY=***'],
    ['a quoted value with an escaped quote', String.raw`{"secret": "s3cret\"s3cret"}`, '{"secret": "***"}'],
    ['a quoted value without a closing quote', '{"secret": "s3cret s3', '{"secret": "***'],
    ['several lines', 'password=s3cret\ntoken=s3cret', 'password=***\ntoken=***'],
  ])('is removed from %s', (_, text, redacted) => {
    expect(redact(text)).toBe(redacted);
    expect(redact(text)).not.toContain('s3cret');
  });
});

describe('a text without secrets', () => {
  it.each([
    'http://localhost:3000/mcp',
    'https://ada@example.org/x',
    'file:///srv/files/a:b@c',
    'read 5 tokens of notes.txt',
    'the bearer of bad news',
    'ENOENT: no such file or directory, open "/srv/password.txt"',
    'ada@example.org: not found',
    '',
  ])('remains unchanged: %j', (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe('redaction', () => {
  it.each(['password', 'token=', 'token =', 'token="', 'bearer ', 'a.', 'a://', 'a://b:', '@'])(
    'finishes in time for 2 MB of %j',
    (part) => {
      expect(redact(part.repeat(Math.ceil(2_000_000 / part.length))).length).toBeGreaterThan(0);
    },
  );
});
