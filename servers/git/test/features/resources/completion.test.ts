import { ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectGit, emptyRepository, git, idOf, repositoryOf } from '../../fixtures/temporary.ts';

const BLOB = 'git://{repo}/blob/{rev}/{+path}';

interface Completed {
  readonly values: readonly string[];
  readonly total?: number | undefined;
  readonly hasMore?: boolean | undefined;
}

async function complete(
  session: Session,
  argument: { readonly name: string; readonly value: string },
  given: Record<string, string> = {},
  uri: string = BLOB,
): Promise<Completed> {
  const ref = { type: 'ref/resource', uri } as const;
  const { completion } = await session.client.complete({ ref, argument, context: { arguments: given } });
  return completion;
}

describe.each(ERAS)('a variable on a %s connection', (era) => {
  it('is completed: repository, then branch or tag, then path', async () => {
    const top = await repositoryOf([['Begin', { 'src/one.ts': 'x', 'src/deep/two.ts': 'x', 'readme.md': 'x' }]]);
    git(top, ['branch', 'feature/x']);
    git(top, ['tag', 'v1']);
    await using session = await connectGit({ directories: [top] }, era);
    const repo = await idOf(session);
    expect((await complete(session, { name: 'repo', value: '' })).values).toEqual([repo]);
    expect((await complete(session, { name: 'rev', value: 'fea' }, { repo })).values).toEqual(['feature/x']);
    expect([...(await complete(session, { name: 'rev', value: '' }, { repo })).values].sort()).toEqual([
      'HEAD',
      'feature/x',
      'main',
      'v1',
    ]);
    const files = await complete(session, { name: 'path', value: 'src/' }, { repo, rev: 'v1' });
    expect(files.values).toEqual(['src/deep/two.ts', 'src/one.ts']);
    const directories = await complete(
      session,
      { name: 'path', value: '' },
      { repo, rev: 'v1' },
      'git://{repo}/tree/{rev}/{+path}',
    );
    expect(directories.values).toEqual(['src', 'src/deep']);
  });

  it('is completed in every template', async () => {
    const top = await repositoryOf([['Begin', { a: 'x' }]]);
    await using session = await connectGit({ directories: [top] }, era);
    const repo = await idOf(session);
    const { resourceTemplates } = await session.client.listResourceTemplates();
    expect(resourceTemplates).toHaveLength(11);
    for (const { uriTemplate } of resourceTemplates)
      expect((await complete(session, { name: 'repo', value: 'pro' }, {}, uriTemplate)).values, uriTemplate).toEqual([repo]);
    for (const [uri, name, values] of [
      ['git://{repo}/log{?rev,cursor}', 'rev', ['main']],
      ['git://{repo}/commit/{rev}', 'rev', ['main']],
      ['git://{repo}/diff/{from}..{to}', 'from', ['main']],
      ['git://{repo}/diff/{from}..{to}', 'to', ['main']],
      ['git://{repo}/conflict/{stage}/{+path}', 'path', []],
    ] as const)
      expect((await complete(session, { name, value: 'mai' }, { repo }, uri)).values, uri).toEqual(values);
    const stages = await complete(session, { name: 'stage', value: '' }, { repo }, 'git://{repo}/conflict/{stage}/{+path}');
    expect(stages.values).toEqual(['1', '2', '3']);
  });

  it('has no candidates if the repository or revision does not exist', async () => {
    await using session = await connectGit({ directories: [await emptyRepository()] }, era);
    const repo = await idOf(session);
    for (const given of [{ repo: 'other-01234567' }, { repo, rev: 'nowhere' }, { repo, rev: '--output=x' }, { repo }])
      expect((await complete(session, { name: 'path', value: '' }, given)).values).toEqual([]);
  });
});

describe('ten thousand branches', () => {
  it('are all completed, the best hundred at a time', async () => {
    const top = await repositoryOf([['Begin', { a: 'x' }]]);
    const lines = Array.from({ length: 10_000 }, (_, index) => `create refs/heads/topic/${index} HEAD\n`);
    git(top, ['update-ref', '--stdin'], { input: lines.join('') });
    git(top, ['pack-refs', '--all']);
    await using session = await connectGit({ directories: [top] });
    const repo = await idOf(session);
    const all = await complete(session, { name: 'rev', value: '' }, { repo });
    expect([all.values.length, all.total, all.hasMore]).toEqual([100, 10_002, true]);
    expect((await complete(session, { name: 'rev', value: 'topic/9999' }, { repo })).values[0]).toBe('topic/9999');
    const { contents } = await session.client.readResource({ uri: `git://${repo}/refs` });
    const [refs] = contents as unknown as readonly [{ text: string }];
    expect(JSON.parse(refs.text)).toMatchObject({ total: 10_001, truncated: true });
  });
});
