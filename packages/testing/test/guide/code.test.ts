import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

const GUIDE = new URL('../../../decorators/README.md', import.meta.url);
const HERE = new URL('./', import.meta.url);
/** What makes a process of it. */
const RUN = /^import \{ runServer \}.*\n|\nawait runServer.*\n/gm;

const [first = '', ...others] = [...readFileSync(GUIDE, 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);

describe('the code of the guide', () => {
  it('is the code of these tests', () => {
    const tests = readdirSync(HERE).map((file) => readFileSync(new URL(file, HERE), 'utf8'));
    expect(others).toHaveLength(10);
    for (const block of others) expect(tests.filter((test) => test.includes(block))).toHaveLength(1);
  });

  // The whole of it is compiled and run by servers/fs/test/install.test.ts.
  it('begins with the server that these tests extend', () => {
    expect(first.replaceAll(RUN, '')).toBe(readFileSync(new URL('notes.ts', HERE), 'utf8'));
  });
});
