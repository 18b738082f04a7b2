import { serveHttp } from '@org/mcp-host';
import { connect, connectUrl, ERAS, type Session } from '@org/mcp-testing';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { ByName } from '../../support/http/served.ts';
import { Bins, PAPER, QUESTION } from './bins.ts';

const REFUSAL = 'do not try again, in this or another way, unless the user requests it';

const TOKEN = /^[0-9a-z]{20}$/;

const ANSWERS = [
  ['decline', 'the user declined; nothing was done'],
  ['cancel', 'the user closed the dialogue without confirming; nothing was done'],
  [{ confirm: false }, 'the user declined; nothing was done'],
] as const;

async function dryRun(session: Session, args: object = PAPER): Promise<string> {
  const { content, structuredContent } = await session.call('empty', { ...args, dry_run: true });
  const text = content[0]?.type === 'text' ? content[0].text : '';
  const { confirm_token } = structuredContent as { readonly confirm_token?: string };
  return confirm_token ?? text;
}

afterEach(() => {
  vi.useRealTimers();
});

describe.each(ERAS)('an operation that the user declined, in the %s era,', (era) => {
  it.each(ANSWERS)('does not run after %o, and the error reports the loss', async (elicitation, reason) => {
    const bins = new Bins();
    await using session = await connect(bins, { era, answers: { elicitation } });
    const text = await session.fails('empty', PAPER);
    expect(text).toBe(
      `DECLINED: ${reason}. The question was: ${QUESTION}\n${REFUSAL}. If the user saw no dialogue, inform the user that the operator of ` +
        'this server can allow confirmation by token (--confirm token).',
    );
    expect(bins.files).toHaveLength(2);
  });

  it.each(ANSWERS)('has no token after %o', async (elicitation) => {
    await using session = await connect(new Bins(), { era, answers: { elicitation } });
    await session.fails('empty', PAPER);
    expect(await dryRun(session)).toBe(
      `Dry run: nothing was done.\n${QUESTION}\nThe user declined this, so there is no confirm_token; ${REFUSAL}`,
    );
    expect(await dryRun(session, { ...PAPER, note: 'changed' })).toContain('The user declined this');
  });

  it('requests confirmation again, and runs if the user then confirms', async () => {
    await using session = await connect(new Bins(), { era, answers: { elicitation: ['decline', { confirm: true }] } });
    await session.fails('empty', PAPER);
    expect(await session.text('empty', PAPER)).toBe('2 gone');
  });
});

describe.each(ERAS)('a client that can ask its user, in the %s era,', (era) => {
  it('receives a preview without a token', async () => {
    await using session = await connect(new Bins(), { era, answers: { elicitation: { confirm: true } } });
    expect(await dryRun(session)).toBe(
      `Dry run: nothing was done.\n${QUESTION}\nTo proceed, repeat the call without dry_run; the client then asks the user to confirm it`,
    );
  });

  it('asks the user even if the model passes a token', async () => {
    const bins = new Bins();
    await using service = await serveHttp({ '/mcp': bins }, { authenticator: new ByName() });
    const url = `${service.url}/mcp`;
    await using silent = await connectUrl(url, { era, token: 'ada' });
    await using asking = await connectUrl(url, { era, token: 'ada', answers: { elicitation: 'decline' } });
    const confirm_token = await dryRun(silent);
    expect(await asking.fails('empty', { ...PAPER, confirm_token })).toMatch(/^DECLINED/);
    expect(asking.elicited.all).toHaveLength(1);
    expect(bins.files).toHaveLength(2);
  });

  it('receives tokens instead of a question if the operator allows tokens', async () => {
    await using session = await connect(new Bins(), { era, confirm: 'token', answers: { elicitation: 'decline' } });
    expect(await session.fails('empty', PAPER)).toContain(
      `CONFIRMATION_REQUIRED: this operation needs confirmation. ${QUESTION}`,
    );
    expect(await session.text('empty', { ...PAPER, confirm_token: await dryRun(session) })).toBe('2 gone');
    expect(session.elicited.all).toEqual([]);
  });
});

describe.each(ERAS)('after the user declined in a client, another client of the same principal, in the %s era,', (era) => {
  it('cannot use an earlier token, and receives no other token for the operation', async () => {
    const bins = new Bins();
    await using service = await serveHttp({ '/mcp': bins }, { authenticator: new ByName() });
    const url = `${service.url}/mcp`;
    await using silent = await connectUrl(url, { era, token: 'ada' });
    await using eve = await connectUrl(url, { era, token: 'eve' });
    await using asking = await connectUrl(url, { era, token: 'ada', answers: { elicitation: 'decline' } });
    const confirm_token = await dryRun(silent);
    await asking.fails('empty', PAPER);
    expect(await silent.fails('empty', { ...PAPER, confirm_token })).toBe(
      `DECLINED: the user declined this before; nothing was done, and no token confirms it. The question was: ${QUESTION}\n${REFUSAL}`,
    );
    expect(await silent.fails('empty', PAPER)).toMatch(/^DECLINED/);
    expect(await dryRun(silent)).toContain('The user declined this');
    expect(await dryRun(silent, { ...PAPER, note: 'changed' })).toContain('The user declined this');
    expect(await dryRun(silent, { bin: 'glass' })).toMatch(TOKEN);
    expect(await dryRun(eve)).toMatch(TOKEN);
    expect(bins.files).toHaveLength(2);
  });

  it('receives tokens again after the user confirmed, or a day later', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const bins = new Bins();
    const { files } = bins;
    await using service = await serveHttp({ '/mcp': bins }, { authenticator: new ByName() });
    const url = `${service.url}/mcp`;
    const elicitation = ['decline', { confirm: true }, 'decline'] as const;
    await using silent = await connectUrl(url, { era, token: 'ada' });
    await using asking = await connectUrl(url, { era, token: 'ada', answers: { elicitation } });
    await asking.fails('empty', PAPER);
    await asking.text('empty', PAPER);
    bins.files = files;
    expect(await dryRun(silent)).toMatch(TOKEN);
    await asking.fails('empty', PAPER);
    expect(await dryRun(silent)).toContain('The user declined this');
    vi.setSystemTime(Date.now() + 86_401_000);
    expect(await dryRun(silent)).toMatch(TOKEN);
  });
});

describe('an operation that one client declines, of several clients without tokens and sessions,', () => {
  it('can still be confirmed by the others', async () => {
    const bins = new Bins();
    await using service = await serveHttp({ '/mcp': bins });
    const url = `${service.url}/mcp`;
    await using silent = await connectUrl(url, { era: 'modern' });
    await using asking = await connectUrl(url, { era: 'modern', answers: { elicitation: 'decline' } });
    const confirm_token = await dryRun(silent);
    expect(await asking.fails('empty', PAPER)).toMatch(/^DECLINED/);
    expect(await dryRun(asking)).toContain('the client then asks the user to confirm it');
    expect(await silent.text('empty', { ...PAPER, confirm_token })).toBe('2 gone');
  });
});
