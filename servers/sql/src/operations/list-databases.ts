import { Flag, ListOf, Text, TextList, ToolError, type RequestContext } from '@org/mcp-decorators';

import type { Capabilities } from '../database/capabilities.ts';
import type { Database } from '../database/database.ts';
import type { Databases } from '../database/databases.ts';

export class ServedDatabase {
  @Text('For tools and resources') id!: string;
  @Text('Why it cannot be used', { optional: true }) error?: string;
  @Text({ optional: true }) engine?: string;
  @Text({ optional: true }) version?: string;
  @Flag('execute cannot change it') read_only!: boolean;
  @Text({ optional: true }) role?: string;
  @Flag('Run by this server; its data may be temporary') embedded!: boolean;
  @TextList('What it can do besides SQL', { optional: true }) capabilities?: string[];
  @TextList('Extensions that are installed', { optional: true }) extensions?: string[];
}

export class ServedDatabases {
  @ListOf(() => ServedDatabase) databases!: ServedDatabase[];
}

/** @throws ToolError those of `Database.readOnly`, if none of them can be used */
export async function listDatabases({ all }: Databases, context: RequestContext): Promise<ServedDatabases> {
  const asked = await Promise.allSettled(all.map((database) => factsOf(database, context)));
  const [first] = asked;
  if (first?.status === 'rejected' && asked.every(({ status }) => status === 'rejected')) throw first.reason;
  const databases = all.map(({ id, source: { embedded }, writer }, index) => {
    const facts = asked[index];
    const shared = { id, read_only: writer === undefined, embedded };
    return facts?.status === 'fulfilled' ? { ...shared, ...facts.value } : { ...shared, error: textOf(facts?.reason) };
  });
  return { databases };
}

type Facts = Pick<ServedDatabase, 'engine' | 'version' | 'role' | 'capabilities' | 'extensions'>;

async function factsOf(database: Database, context: RequestContext): Promise<Facts> {
  const { engine, version, role } = await database.identity();
  const extensions = await database.rows('select extname from pg_extension order by 1', [], context);
  return {
    engine,
    version,
    role,
    capabilities: namesOf(await database.capabilities()),
    extensions: extensions.map(([name]) => name ?? ''),
  };
}

/** Those that are there: of a list, that it is not empty. */
function namesOf(capabilities: Capabilities): string[] {
  return Object.entries(capabilities)
    .filter(([name, value]) => name !== 'version' && (Array.isArray(value) ? value.length > 0 : Boolean(value)))
    .map(([name]) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

function textOf(error: unknown): string {
  return ToolError.is(error) ? error.text : 'INTERNAL: it cannot be used';
}
