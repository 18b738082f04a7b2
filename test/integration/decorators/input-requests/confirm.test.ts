import { connect, ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { Bins, PAPER, QUESTION } from './bins.ts';

describe.each(ERAS)('an operation that requires confirmation, in the %s era,', (era) => {
  it('shows the user a text without hidden characters, and runs after the confirmation', async () => {
    await using session = await connect(new Bins(), { era, answers: { elicitation: { confirm: true } } });
    expect(await session.text('empty', PAPER)).toBe('2 gone');
    expect(session.elicited.all.map(({ message }) => message)).toEqual([QUESTION]);
  });

  it('is described to a client without dialogues, and runs with the token of a dry run', async () => {
    await using session = await connect(new Bins(), { era });
    expect(await session.fails('empty', PAPER)).toContain(
      `CONFIRMATION_REQUIRED: this operation needs confirmation. ${QUESTION}`,
    );
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

  it('runs only once with a token, even if the state is the same again', async () => {
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
      /^PRECONDITION_FAILED: the confirm_token was already used; nothing was done/,
    );
    expect(bins.files).toBe(files);
  });

  it('runs without confirmation if no data would be lost', async () => {
    const bins = new Bins();
    bins.files = [];
    await using session = await connect(bins, { era });
    expect(await session.text('empty', { ...PAPER, dry_run: true })).toBe(
      'Dry run: nothing was done.\nNothing would be lost\nTo proceed, repeat the call without dry_run',
    );
    expect(await session.text('empty', PAPER)).toBe('0 gone');
  });

  it('runs after one question, even if the question contains times or numbers that differ each time', async () => {
    const bins = new Bins();
    let shown = 0;
    bins.suffix = () => ` (${(shown += 1)})`;
    await using session = await connect(bins, { era, answers: { elicitation: { confirm: true } } });
    expect(await session.text('empty', PAPER)).toBe('2 gone');
    expect(session.elicited.all).toHaveLength(1);
  });

  it('reports a changed state instead of running', async () => {
    const bins = new Bins();
    bins.meanwhile = () => {
      bins.files = ['a'];
    };
    await using session = await connect(bins, { era, answers: { elicitation: { confirm: true } } });
    expect(await session.fails('empty', PAPER)).toMatch(/^PRECONDITION_FAILED/);
  });
});
