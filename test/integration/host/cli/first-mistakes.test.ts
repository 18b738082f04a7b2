import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { runProgram } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

let home = '';
let occupied: Server;
let port = 0;

beforeAll(async () => {
  home = await realpath(await mkdtemp(path.join(tmpdir(), 'mistakes-')));
  await writeFile(path.join(home, 'note.txt'), 'text');
  await writeFile(path.join(home, 'broken.json'), '{ "readOnly": tru }');
  occupied = createServer();
  await new Promise<void>((resolve) => void occupied.listen(0, '127.0.0.1', resolve));
  ({ port } = occupied.address() as AddressInfo);
});

afterAll(async () => {
  occupied.close();
  await rm(home, { recursive: true, force: true });
});

interface Mistake {
  readonly mistake: string;
  readonly server: 'fs' | 'git' | 'sql';
  readonly args: () => readonly string[];
  readonly code: number;
  readonly answer: RegExp;
}

/** The likeliest mistakes when a server is started for the first time. */
const MISTAKES: readonly Mistake[] = [
  {
    mistake: 'a directory that does not exist',
    server: 'fs',
    args: () => ['check', `${home}/none`],
    code: 1,
    answer: /wrong {2}root \S+none: .*(does not exist|missing)/,
  },
  {
    mistake: 'a repository that does not exist',
    server: 'git',
    args: () => ['check', home, `${home}/none`],
    code: 1,
    answer: /wrong {2}directory \S+none: /,
  },
  {
    mistake: 'a file instead of a directory',
    server: 'fs',
    args: () => [`${home}/note.txt`],
    code: 2,
    answer: /note\.txt.*not a directory/i,
  },
  {
    mistake: 'a misspelled flag',
    server: 'fs',
    args: () => ['--reed-only', home],
    code: 2,
    answer: /unknown option --reed-only; did you mean --read-only\?/,
  },
  { mistake: 'a flag without its value', server: 'fs', args: () => [home, '--deny'], code: 2, answer: /--deny/ },
  {
    mistake: 'a time without a unit',
    server: 'fs',
    args: () => ['--lock-timeout', '30', home],
    code: 2,
    answer: /--lock-timeout: expected a duration like .*, got "30"/,
  },
  {
    mistake: 'a size that is too small',
    server: 'fs',
    args: () => ['--max-bytes', '1', home],
    code: 2,
    answer: /--max-bytes: expected at least 1kb and at most 1mb/,
  },
  {
    mistake: 'a port that another program uses',
    server: 'fs',
    args: () => ['--http', String(port), home],
    code: 2,
    answer: /--http \d+: .*(in use|use)/,
  },
  {
    mistake: 'a misspelled tool',
    server: 'fs',
    args: () => ['--tools', 'read_txt_file', home],
    code: 2,
    answer: /unknown tool "read_txt_file"/,
  },
  {
    mistake: 'a configuration file that is not JSON',
    server: 'fs',
    args: () => ['--config', `${home}/broken.json`],
    code: 2,
    answer: /broken\.json is not valid JSON/,
  },
  {
    mistake: 'a configuration file that does not exist',
    server: 'fs',
    args: () => ['--config', `${home}/none.json`],
    code: 2,
    answer: /none\.json cannot be read/,
  },
  {
    mistake: 'a URL of another database',
    server: 'sql',
    args: () => ['mysql://localhost/shop'],
    code: 2,
    answer: /postgres:\/\/user:\*\*\*@host:port\/database is expected/,
  },
  {
    mistake: 'a database that does not answer',
    server: 'sql',
    args: () => ['check', 'postgres://ada:pw@127.0.0.1:1/shop'],
    code: 1,
    answer: /cannot be reached/,
  },
  {
    mistake: 'an unknown client',
    server: 'fs',
    args: () => ['install', 'claude', home],
    code: 2,
    answer: /unknown client "claude"; the clients are claude-desktop, /,
  },
];

describe('a likely mistake at the first start', () => {
  it.each(MISTAKES)('is reported with its remedy, without a stack: $mistake', async ({ server, args, code, answer }) => {
    const program = path.join(ROOT, `servers/${server}/bin/mcp-${server}.js`);
    const end = await runProgram({ command: process.execPath, args: [program, ...args()], env: { HOME: home } });
    const text = end.stdout + end.stderr;
    expect(text).toMatch(answer);
    expect(text).not.toMatch(/\n {4}at |ada:pw/);
    expect(end.code).toBe(code);
  });
});
