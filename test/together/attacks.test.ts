import { existsSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { connectProcess } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  attacker,
  attempt,
  configuration,
  everydayCalls,
  program,
  run,
  scene,
  type Attacker,
  type Call,
  type Scene,
} from '../support/attacker.ts';
import { ATTACKS } from './git-attacks.ts';

const ATTEMPTS = Number(process.env['MCP_TEST_ATTEMPTS'] ?? 60);
const TIMEOUT_MS = 60_000 + ATTEMPTS * 1000;

/** Makes the calls of an attack and everyday git calls. Checks after each call that the program of the attacker has not run. */
async function expectNothingRun(servers: Attacker, calls: readonly Call[], { root, marker }: Scene): Promise<void> {
  for (const [server, tool, input] of [...calls, ...everydayCalls(root)]) {
    const text = await attempt(servers[server], tool, input);
    expect(existsSync(marker), `${tool} ${JSON.stringify(input)}: ${text}`).toBe(false);
  }
}

function inScene({ root }: Scene): (name: string) => string {
  return (name) => path.join(root, name);
}

const SETTINGS = [
  ['with default options', []],
  ['with --allow-git-dir', ['--allow-git-dir']],
] as const;

describe.each(SETTINGS)('a model with the tools for files and git on one directory, %s,', (_, options) => {
  let servers: Attacker & AsyncDisposable;
  beforeAll(async () => {
    servers = await attacker(options);
  });
  afterAll(() => servers[Symbol.asyncDispose]());

  it.each(ATTACKS.map(([attack, calls], index) => ({ attack, calls, index })))(
    'runs no program: $attack',
    async ({ calls, index }) => {
      const place = await scene(servers, `attack-${index}`);
      await expectNothingRun(servers, calls(inScene(place)), place);
    },
    60_000,
  );

  it('runs no program by undoing changes', async () => {
    const place = await scene(servers, 'undo');
    const at = inScene(place);
    const config = configuration(at('program'));
    const { structuredContent } = await servers.fs.call('write_file', { path: at('p/x'), content: config });
    const { undoId } = structuredContent as { readonly undoId: string };
    await expectNothingRun(
      servers,
      [
        ['fs', 'undo_change', { undoId }],
        ['fs', 'move_file', { source: at('evil/config'), destination: at('p/.git/config'), overwrite: true }],
        ['fs', 'delete_file', { path: at('p'), recursive: true }],
        ['fs', 'undo_change', { undoId, force: true }],
      ],
      place,
    );
  }, 60_000);

  it(
    'runs no program if files change while git runs',
    async () => {
      const place = await scene(servers, 'race');
      const at = inScene(place);
      const clean = await readFile(at('p/.git/config'), 'utf8');
      let left = ATTEMPTS;
      const flip = async (): Promise<void> => {
        while (left > 0) {
          left -= 1;
          for (const content of [configuration(at('program')), clean])
            await attempt(servers.fs, 'write_file', { path: at('p/.git/config'), content, permanent: true });
        }
      };
      const invade = async (): Promise<void> => {
        while (left > 0) await invadeNewRepositories(servers, place);
      };
      const work = async (): Promise<void> => {
        for (let round = 0; left > 0; round += 1) {
          await attempt(servers.fs, 'write_file', { path: at('p/a.txt'), content: `${round}\n`, permanent: true });
          await attempt(servers.git, 'git_add', { repo_path: at('p'), all: true });
          await attempt(servers.git, 'git_init', { repo_path: at(`new-${round}`), bare: round % 2 === 0 });
          await attempt(servers.git, 'git_status', { repo_path: at(`new-${round}`) });
          expect(existsSync(place.marker), `round ${round}`).toBe(false);
        }
      };
      await Promise.all([flip(), invade(), work()]);
      expect(existsSync(place.marker)).toBe(false);
    },
    TIMEOUT_MS,
  );
});

/**
 * Writes configurations into the temporary directories in which the git server creates repositories before it renames these
 * directories.
 */
async function invadeNewRepositories({ fs }: Attacker, { root }: Scene): Promise<void> {
  const at = (name: string): string => path.join(root, name);
  const listed = await attempt(fs, 'list_directory', { path: root });
  for (const [name] of listed.matchAll(/\.mcp-\S+\.tmp|new-\d+/g)) {
    if (!name.startsWith('.mcp')) continue;
    for (const file of ['config', '.git/config'])
      await attempt(fs, 'write_file', {
        path: at(`${name}/${file}`),
        content: configuration(at('program')),
        createParents: true,
      });
  }
}

describe('a model with the tools for files, git and a database on one directory', () => {
  it('runs no program by files that the database writes and reads', async () => {
    await using servers = await attacker();
    const place = await scene(servers, 'database');
    const at = inScene(place);
    const state = path.join(servers.base, 'sql-state');
    await using sql = await connectProcess(program('sql', '--writable', '--state-dir', state, '--queries', at('p')));
    const config = configuration(at('program')).replaceAll("'", "''");
    const run = `copy (select 1) to program 'touch ${place.marker}'`;
    await attempt(servers.fs, 'write_file', { path: at('p/run.sql'), content: `-- description: Run\n${run}\n` });
    for (const statement of [
      run,
      `copy (select '${config}') to '${at('p/.git/config')}'`,
      `select lo_export(1, '${at('p/.git/config')}')`,
    ])
      for (const tool of ['query', 'export', 'execute']) {
        await attempt(sql, tool, { sql: statement, ...(tool === 'export' && { filename: 'config' }) });
        await expectNothingRun(servers, [], place);
      }
    expect(await readFile(at('p/.git/config'), 'utf8')).not.toContain('program');
  }, 180_000);
});

describe('a user with the tools for files and git on one directory', () => {
  it('can write, commit and check out files', async () => {
    await using servers = await attacker();
    const place = await scene(servers, 'ordinary');
    const at = inScene(place);
    await servers.fs.call('write_file', { path: at('p/src/b.txt'), content: 'b', createParents: true });
    for (const [, tool, input] of everydayCalls(place.root).filter(([, , { repo_path }]) => repo_path === at('p')))
      await servers.git.call(tool, input);
    expect(run(at('p'), 'log', '--format=%s', 'main', '-1')).toBe('Go on\n');
    expect(run(at('p'), 'branch', '--show-current')).toBe('other\n');
  });
});

describe('the same attacks with plain files and git', () => {
  it('run programs', async () => {
    await using servers = await attacker();
    for (const [name, target, source] of [
      ['control-config', 'p/.git/config', 'evil/config'],
      ['control-hook', 'p/.git/hooks/pre-commit', 'evil/hooks/pre-commit'],
    ] as const) {
      const place = await scene(servers, name);
      const at = inScene(place);
      await cp(at(source), at(target));
      run(at('p'), 'config', 'core.fileMode', 'false');
      await writeFile(at('p/a.txt'), 'changed\n');
      await runPlainly(at('p'));
      expect(existsSync(place.marker), name).toBe(true);
    }
  });
});

async function runPlainly(top: string): Promise<void> {
  try {
    run(top, 'add', '--all');
    run(top, 'commit', '--quiet', '--message=x');
  } catch {
    // The command fails if the filter of the attacker fails.
  }
}
