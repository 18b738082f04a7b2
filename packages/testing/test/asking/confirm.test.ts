import { describe, expect, it } from 'vitest';

import { connect, ERAS } from '../../src/index.ts';
import { Bins, PAPER, QUESTION } from './bins.ts';

describe.each(ERAS)('what has to be confirmed, in the %s era,', (era) => {
  it('is asked of the user in words in which nothing is hidden, and done', async () => {
    await using session = await connect(new Bins(), { era, answers: { elicitation: { confirm: true } } });
    expect(await session.text('empty', PAPER)).toBe('2 gone');
    expect(session.elicited.all.map(({ message }) => message)).toEqual([QUESTION]);
  });

  it('is told to a client that cannot be asked, and done with the token of a dry run', async () => {
    await using session = await connect(new Bins(), { era });
    expect(await session.fails('empty', PAPER)).toContain(`CONFIRMATION_REQUIRED: this has to be confirmed. ${QUESTION}`);
    const { structuredContent, content } = await session.call('empty', { ...PAPER, dry_run: true });
    expect(structuredContent).toEqual({
      dry_run: true,
      question: 'Empty paper?',
      lost: ['a', 'b\nc'],
      total: 2,
      count: 2,
      confirm_token: expect.stringMatching(/^[0-9a-z]{20}$/),
      next: expect.stringContaining('If the user agrees'),
    });
    expect(content).toMatchObject([
      { text: expect.stringContaining(`Dry run: nothing was done.\n${QUESTION}\nIf the user agrees`) },
    ]);
    const { confirm_token } = structuredContent as { confirm_token: string };
    expect(await session.fails('empty', { bin: 'glass', confirm_token })).toMatch(
      /^PRECONDITION_FAILED: the bin or the arguments/,
    );
    expect(await session.fails('empty', { ...PAPER, confirm_token: 'x' })).toMatch(/^INVALID_ARGUMENTS: the confirm_token/);
    expect(await session.text('empty', { ...PAPER, confirm_token })).toBe('2 gone');
    expect(await session.fails('empty', { ...PAPER, confirm_token })).toMatch(/^PRECONDITION_FAILED/);
  });

  it('is done once with a token, even if all is as it was again', async () => {
    const bins = new Bins();
    const { files } = bins;
    await using session = await connect(bins, { era });
    const { structuredContent } = await session.call('empty', { ...PAPER, dry_run: true });
    const { confirm_token } = structuredContent as { confirm_token: string };
    const call = async (): Promise<boolean> =>
      (await session.client.callTool({ name: 'empty', arguments: { ...PAPER, confirm_token } })).isError !== true;
    bins.files = files;
    expect((await Promise.all([call(), call(), call()])).filter(Boolean)).toHaveLength(1);
    bins.files = files;
    expect(await session.fails('empty', { ...PAPER, confirm_token })).toMatch(
      /^PRECONDITION_FAILED: the confirm_token was used already; nothing was done/,
    );
    expect(bins.files).toBe(files);
  });

  it('is not asked where nothing is lost', async () => {
    const bins = new Bins();
    bins.files = [];
    await using session = await connect(bins, { era });
    expect(await session.text('empty', { ...PAPER, dry_run: true })).toBe(
      'Dry run: nothing was done.\nNothing would be lost\nTo do it: the same call without dry_run',
    );
    expect(await session.text('empty', PAPER)).toBe('0 gone');
  });

  it('is done after one question, though the question shows times or numbers that differ each time', async () => {
    const bins = new Bins();
    let shown = 0;
    bins.suffix = () => ` (${(shown += 1)})`;
    await using session = await connect(bins, { era, answers: { elicitation: { confirm: true } } });
    expect(await session.text('empty', PAPER)).toBe('2 gone');
    expect(session.elicited.all).toHaveLength(1);
  });

  it('tells what is another by the time it is to be done', async () => {
    const bins = new Bins();
    bins.meanwhile = () => {
      bins.files = ['a'];
    };
    await using session = await connect(bins, { era, answers: { elicitation: { confirm: true } } });
    expect(await session.fails('empty', PAPER)).toMatch(/^PRECONDITION_FAILED/);
  });
});
