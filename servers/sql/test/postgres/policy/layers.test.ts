import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';
import type { Session } from '@org/mcp-testing';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { loadPg } from '../../../src/postgres/database/protocol/load-pg.ts';
import { urlSource } from '../../../src/postgres/database/connect/url-source.ts';
import { PostgresDatabase } from '../../../src/index.ts';
import { ATTACKS, attackedWith, FINGERPRINT, ORDINARY, timeoutOf } from '../../fixtures/attacks.ts';
import { codeOf, GROUND, optionsWith, useDatabase } from '../../fixtures/postgres.ts';

const ground = useDatabase({ sql: GROUND });
const files = mkdtempSync(path.join(tmpdir(), 'layers-'));
const signal = new AbortController().signal;
const context = (): { readonly files: string; readonly dsn: string } => ({ files, dsn: ground.url('superuser') });
let database: PostgresDatabase;
let unread: Session;
let reader: Client;
let before: readonly (readonly (string | null)[])[];

beforeAll(async () => {
  const options = optionsWith({ url: ground.url('superuser'), allowPrivilegedRole: true, policy: 'off' });
  database = new PostgresDatabase('ground', urlSource({ url: ground.url('superuser') }), { ...options, policy: 'strict' });
  unread = await ground.connect(options);
  const { Client } = await loadPg();
  reader = new Client({ connectionString: ground.url() });
  await reader.connect();
  before = await ground.asSuperuser(FINGERPRINT);
});
afterAll(async () => {
  await reader.end();
  await unread[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  rmSync(files, { recursive: true });
});

async function ruleThatDenies(sql: string): Promise<unknown> {
  try {
    await database.policy.admit({ sql, signal });
    return undefined;
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    return error.data?.['rule'] ?? error.code;
  }
}

describe('only the policy', () => {
  it.each(ATTACKS.map((attack) => [attack.name, attack] as const))('detects %s', async (_, attack) => {
    expect(await ruleThatDenies(attackedWith(attack, context()))).toBe(attack.rule);
  });

  it('rejects all attacks except harmless attacks and attacks that another layer stops', () => {
    expect(ATTACKS.length).toBeGreaterThanOrEqual(134);
    expect(ATTACKS.filter(({ rule }) => rule === undefined).length).toBeLessThanOrEqual(21);
  });

  it('admits all ordinary reads', async () => {
    expect(ORDINARY.length).toBeGreaterThanOrEqual(76);
    for (const sql of ORDINARY) expect(await ruleThatDenies(sql), sql).toBeUndefined();
  });
});

describe('only the read-only transaction and the extended protocol, as superuser,', () => {
  const stopped = ATTACKS.filter(({ transaction }) => transaction !== undefined);

  it.each(stopped.map((attack) => [attack.name, attack] as const))('stop %s', async (_, attack) => {
    const sql = attackedWith(attack, context());
    expect(await codeOf(unread, 'query', { sql, timeout_ms: timeoutOf(attack.transaction) })).toBe(attack.transaction);
    expect(await ground.asSuperuser(FINGERPRINT)).toEqual(before);
    expect(readdirSync(files)).toEqual([]);
  });
});

describe('only the role, in a transaction that may write,', () => {
  const forbidden = ATTACKS.filter(({ role }) => role === true);

  it.each(forbidden.map((attack) => [attack.name, attack] as const))('prevents %s', async (_, attack) => {
    await reader.query('BEGIN READ WRITE');
    const query = { text: attackedWith(attack, context()), queryMode: 'extended' };
    await expect(reader.query(query)).rejects.toMatchObject({ code: '42501' });
    await reader.query('ROLLBACK');
  });
});
