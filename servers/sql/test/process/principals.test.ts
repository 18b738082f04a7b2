import { ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { useApp } from '../fixtures/app.ts';
import { serveTwo } from '../fixtures/principals.ts';

const database = useApp(`
  create table app.stock (id int primary key, count int);
  insert into app.stock values (1, 1);
  alter table app.stock owner to app;`);
const connectAs = serveTwo(database);

async function kept(session: Session): Promise<string> {
  const { _meta: facts } = await session.call('query', { sql: "select 'of ada'", keep: true });
  return (facts as { handle: string }).handle;
}

async function exported(session: Session): Promise<string> {
  const { structuredContent } = await session.call('export', { sql: "select 'of ada'" });
  return (structuredContent as { uri: string }).uri;
}

async function confirmToken(session: Session): Promise<string> {
  const { structuredContent } = await session.call('execute', { ...UPDATE, dry_run: true });
  return (structuredContent as { confirm_token: string }).confirm_token;
}

function reading(uri: string): (session: Session) => Promise<string> {
  return async ({ client }) => {
    const read = await client.readResource({ uri }).catch((error: unknown) => String(error));
    return typeof read === 'string' ? read : JSON.stringify(read.contents);
  };
}

function calling(name: string, args: Readonly<Record<string, unknown>>): (session: Session) => Promise<string> {
  return async ({ client }) => JSON.stringify((await client.callTool({ name, arguments: { ...args } })).content);
}

const UPDATE = { sql: 'update app.stock set count = count + 1' };
const NEVER = 'a'.repeat(24);

interface Secret {
  readonly name: string;
  readonly make: (session: Session) => Promise<string>;
  /** Uses the object with a given id: the created object, or an object that never existed. */
  readonly use: (made: string) => (session: Session) => Promise<string>;
  readonly never: string;
  readonly refusal: RegExp;
  readonly success: RegExp;
}

const SECRETS: readonly Secret[] = [
  {
    name: 'a kept result by fetch_result',
    make: kept,
    use: (handle) => calling('fetch_result', { handle }),
    never: NEVER,
    refusal: /HANDLE_EXPIRED/,
    success: /of ada/,
  },
  {
    name: 'a kept result by export',
    make: kept,
    use: (handle) => calling('export', { handle }),
    never: NEVER,
    refusal: /HANDLE_EXPIRED/,
    success: /1 row/,
  },
  {
    name: 'a kept result as a resource',
    make: kept,
    use: (handle) => reading(`pgresult://${handle}/1`),
    never: NEVER,
    refusal: /HANDLE_EXPIRED/,
    success: /of ada/,
  },
  {
    name: 'an exported file',
    make: exported,
    use: reading,
    never: `pgexport://${NEVER}/export.csv`,
    refusal: /HANDLE_EXPIRED/,
    success: /of ada/,
  },
  {
    name: 'a confirm_token',
    make: confirmToken,
    use: (confirm_token) => calling('execute', { ...UPDATE, confirm_token }),
    never: NEVER,
    refusal: /INVALID_ARGUMENTS: the confirm_token/,
    success: /committed/,
  },
];

describe.each(ERAS)('over HTTP with tokens, on %s connections,', (era) => {
  it.each(SECRETS)(
    '$name of one principal does not exist for other principals, and exists in the next session of the same principal',
    async ({ make, use, never, refusal, success }) => {
      const first = await connectAs('ada', era);
      const made = await make(first);
      await first[Symbol.asyncDispose]();
      await using bob = await connectAs('bob', era);
      const refused = await use(made)(bob);
      expect(refused).toMatch(refusal);
      expect(refused.replaceAll(made, never)).toBe(await use(never)(bob));
      await using ada = await connectAs('ada', era);
      expect(await use(made)(ada)).toMatch(success);
    },
  );

  it('no list, completion or information names stored results', async () => {
    await using ada = await connectAs('ada', era);
    const handle = await kept(ada);
    const [, , id = ''] = (await exported(ada)).split('/');
    for (const name of ['ada', 'bob'] as const) {
      await using session = await connectAs(name, era);
      const { client } = session;
      const completed = [
        ['pgresult://{handle}/{page}', 'handle'],
        ['pgexport://{id}/{file}{?offset}', 'id'],
      ].map(async ([uri = '', argument = '']) =>
        client.complete({ ref: { type: 'ref/resource', uri }, argument: { name: argument, value: '' } }).catch(String),
      );
      const shown = JSON.stringify([
        await client.listResources(),
        await client.listResourceTemplates(),
        await Promise.all(completed),
        await client.readResource({ uri: 'server://info' }),
      ]);
      expect(shown).toContain('pgresult://{handle}/{page}');
      expect(shown).not.toContain(handle);
      expect(shown).not.toContain(id);
    }
  });
});
