import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

const PAGES = ['servers', 'compiling', 'inputs', 'results', 'asking', 'limits', 'resources', 'views', 'overriding', 'embedding'];
const GUIDE = new URL('../../../../docs/build/', import.meta.url);
const HERE = new URL('./', import.meta.url);
/** Matches the lines that start the server as a process. */
const RUN = /^import \{ runServer \}.*\n|\nawait runServer.*\n/gm;

const blocks = PAGES.flatMap((page) =>
  Array.from(readFileSync(new URL(`${page}.md`, GUIDE), 'utf8').matchAll(/^```ts( \[[^\]]*\])?\n(.*?)^```$/gms)),
);
const [, , first = ''] = blocks.find(([, title]) => title === ' [src/notes.ts]') ?? [];
const others = blocks.filter(([, title]) => title === undefined).map(([, , code = '']) => code);

describe('the code in the guide', () => {
  it('is the same as the code in these tests', () => {
    const tests = readdirSync(HERE).map((file) => readFileSync(new URL(file, HERE), 'utf8'));
    expect(others).toHaveLength(13);
    for (const block of others) expect(tests.filter((test) => test.includes(block))).toHaveLength(1);
  });

  // servers/fs/test/install.test.ts compiles and runs the whole code.
  it('begins with the server that these tests extend', () => {
    expect(first.replaceAll(RUN, '')).toBe(readFileSync(new URL('notes.ts', HERE), 'utf8'));
  });
});
