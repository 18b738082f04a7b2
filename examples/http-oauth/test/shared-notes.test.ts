import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';

import { connectUrl, ERAS } from '@org/mcp-testing';

import { deploy, type Deployment } from './deployment.js';
import { startIssuer, type Issuer } from './issuer.js';

const AUDIENCE = 'https://notes.example.org';

let issuer: Issuer;
let deployment: Deployment;
/** Resources to dispose of. If a start fails, the list contains only the resources that started before. */
const started: AsyncDisposable[] = [];

/** Returns one token for each process, keyed by process id. The proxy selects the process by the token. */
async function findTokens(scope: string): Promise<ReadonlyMap<string, string>> {
  const tokens = new Map<string, string>();
  for (let number = 0; tokens.size < 2; number += 1) {
    const token = await issuer.sign(`client-${number}`, scope);
    await using session = await connectUrl(deployment.url, { token });
    tokens.set(await session.text('process'), token);
  }
  return tokens;
}

/** Programs that the test needs and this machine does not have. */
const MISSING = ['nginx', 'redis-server'].filter((program) => spawnSync(program, ['-v']).error !== undefined);
const suite = MISSING.length === 0 ? describe : describe.skip;

suite(`two processes behind a proxy${MISSING.length === 0 ? '' : ` (skipped: ${MISSING.join(' and ')} is missing)`}`, () => {
  beforeAll(async () => {
    issuer = await startIssuer(AUDIENCE);
    started.push(issuer);
    deployment = await deploy(issuer, AUDIENCE);
    started.push(deployment);
  });

  afterAll(async () => {
    for (const resource of started.toReversed()) await resource[Symbol.asyncDispose]();
  });

  it('refuse a request without a token, and name the authorization server', async () => {
    const response = await fetch(deployment.url, { method: 'POST' });
    assert.equal(response.status, 401);
    const [, address = ''] = /resource_metadata="([^"]+)"/.exec(response.headers.get('www-authenticate') ?? '') ?? [];
    const metadata = (await (await fetch(address)).json()) as { readonly authorization_servers: readonly string[] };
    // Under Jest, the list belongs to another realm, so it is compared as a text.
    assert.equal(metadata.authorization_servers.join(), issuer.url);
  });

  it('refuse a token for another audience', async () => {
    const token = await issuer.sign('ada', 'read', 'https://other.example.org');
    const response = await fetch(deployment.url, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
    assert.equal(response.status, 401);
  });

  for (const era of ERAS) {
    it(`answer every call of a client by the same process, in the ${era} era`, async () => {
      await using session = await connectUrl(deployment.url, { era, token: await issuer.sign('ada', 'read') });
      const answers = await Promise.all(Array.from({ length: 5 }, () => session.text('process')));
      assert.equal(new Set(answers).size, 1);
    });

    it(`require the scope of a tool, in the ${era} era`, async () => {
      await using session = await connectUrl(deployment.url, { era, token: await issuer.sign('ada', 'read write') });
      await session.call('add_note', { text: 'water the plants' });
      await assert.rejects(session.call('clear_notes'), /scope|403|Forbidden/i);
    });

    it(`notify a client of one process of a change in the other, in the ${era} era`, async () => {
      const [first = '', second = ''] = (await findTokens('read write')).values();
      await using reader = await connectUrl(deployment.url, { era, token: first });
      await using writer = await connectUrl(deployment.url, { era, token: second });
      assert.notEqual(await reader.text('process'), await writer.text('process'));
      const updates = await reader.subscribe('notes://all');
      await writer.call('add_note', { text: 'call the bank' });
      await updates.next();
    });
  }

  it('answer by the other process after one has ended', async () => {
    const tokens = await findTokens('read');
    const [ended] = deployment.processes;
    ended?.kill('SIGKILL');
    await ended?.ended;
    for (const token of tokens.values()) {
      await using session = await connectUrl(deployment.url, { token });
      assert.equal(await session.text('process'), String(deployment.processes[1]?.pid));
    }
  });
});
