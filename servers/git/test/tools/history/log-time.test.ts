import { describe, expect, it } from 'vitest';

import { connectGit, git, repositoryOf } from '../../fixtures/temporary.ts';

describe('the times of a log', () => {
  /** Creates commits at 00:30 and 23:30 of three days in January 2026, in the time zone of the process. */
  async function threeDays(): Promise<string> {
    const top = await repositoryOf([['Begin', { a: '1' }]]);
    for (const day of [20, 21, 22])
      for (const hour of [0, 23]) {
        const date = `${Math.floor(new Date(2026, 0, day, hour, 30).getTime() / 1000)} +0000`;
        git(top, ['commit', '--quiet', '--allow-empty', `--message=${day} ${hour}`], {
          env: { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
        });
      }
    return top;
  }

  it.each([
    [{ since: '2026-01-22' }, ['22 23', '22 0']],
    [{ since: '22 Jan 2026' }, ['22 23', '22 0']],
    [{ since: '2026-01-21', until: '2026-01-21' }, ['21 23', '21 0']],
    [{ since: 'January 21, 2026', until: 'January 21, 2026' }, ['21 23', '21 0']],
    [{ start_timestamp: '2026-01-21 12:00', end_timestamp: '2026-01-22T12:00:00' }, ['22 0', '21 23']],
    [{ since: '21 Jan 2026 12:00', until: '21 Jan 2026' }, ['21 23']],
    [{ since: 'today' }, []],
    [{ since: 'yesterday', until: 'last monday' }, []],
    [{ since: '@1769040000 +0000', until: '2 days ago', revision: 'HEAD~1..HEAD' }, ['22 23']],
  ])('read a day without a time as the whole day: %j', async (input, subjects) => {
    const top = await threeDays();
    await using session = await connectGit({ directories: [top] });
    const { structuredContent } = await session.call('git_log', input);
    expect(structuredContent).toMatchObject({ commits: subjects.map((message) => ({ message })) });
  });

  it('contain the commits of today from midnight on', async () => {
    const top = await repositoryOf([['Old', { a: '1' }]]);
    git(top, ['commit', '--quiet', '--allow-empty', '--message=New']);
    await using session = await connectGit({ directories: [top] });
    const now = new Date();
    const [month, day] = [now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0'));
    for (const since of ['today', 'yesterday', `${now.getFullYear()}-${month}-${day}`])
      expect((await session.call('git_log', { since })).structuredContent).toMatchObject({ commits: [{ message: 'New' }] });
  });

  it.each(['notadate', '2026-13-45', '2026-02-30', '2026-01-31T25:00', '5', '@5', 'soon', '2 weks ago', '', '1 --output=x'])(
    'are rejected if git would read nothing in them: %j',
    async (since) => {
      const top = await repositoryOf([['Begin', { a: '1' }]]);
      await using session = await connectGit({ directories: [top] });
      for (const input of [{ since }, { until: since }])
        expect(await session.fails('git_log', input)).toMatch(/^INVALID_ARGUMENTS: .* is not a valid time\b/);
    },
  );
});
