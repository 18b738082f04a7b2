import { Flag, ListOf, Result, Text, TextList, ToolError, type RequestContext } from '@org/mcp-decorators';

import type { Capabilities } from '../../postgres/database/connect/capabilities.ts';
import type { Database } from '../../postgres/database/database.ts';
import type { Databases } from '../../engine/databases.ts';

export class ServedDatabase {
  @Text('Id for tools and resource URIs') id!: string;
  @Text({ optional: true }) error?: string;
  @Text({ optional: true }) engine?: string;
  @Text({ optional: true }) version?: string;
  @Flag('execute cannot change the database') read_only!: boolean;
  @Text({ optional: true }) role?: string;
  @Flag('Started by mcp-sql; the data may be temporary') embedded!: boolean;
  @TextList('Database features that tools use', { optional: true }) capabilities?: string[];
  @TextList({ optional: true }) extensions?: string[];
}

export class ServedDatabases {
  @ListOf(() => ServedDatabase) databases!: ServedDatabase[];
}

/** @throws ToolError the error of the first database, if no database can be used */
export async function listDatabases({ all }: Databases, context: RequestContext): Promise<Result> {
  const asked = await Promise.allSettled(all.map((database) => readFacts(database, context)));
  const [first] = asked;
  if (first?.status === 'rejected' && asked.every(({ status }) => status === 'rejected')) throw first.reason;
  const databases = all.map<ServedDatabase>(({ id, source: { embedded }, writer }, index) => {
    const facts = asked[index];
    const shared = { id, read_only: writer === undefined, embedded };
    return facts?.status === 'fulfilled' ? { ...shared, ...facts.value } : { ...shared, error: formatError(facts?.reason) };
  });
  return Result.of({ databases } satisfies ServedDatabases, databases.map(formatDatabase).join('\n'));
}

function formatDatabase({ id, error, engine, version, role, embedded, read_only }: ServedDatabase): string {
  if (error !== undefined) return `${id}: cannot be used: ${error}`;
  const access = read_only ? `read-only as ${role}` : `read as ${role}, and written by execute`;
  return `${id}: ${engine} ${version}${embedded ? ', embedded' : ''}, ${access}`;
}

type Facts = Pick<ServedDatabase, 'engine' | 'version' | 'role' | 'capabilities' | 'extensions'>;

async function readFacts(database: Database, context: RequestContext): Promise<Facts> {
  const { engine, version, role } = await database.identity();
  const extensions = await database.rows('select extname from pg_extension order by 1', [], context);
  return {
    engine,
    version,
    role,
    capabilities: listCapabilities(await database.capabilities()),
    extensions: extensions.map(([name]) => name ?? ''),
  };
}

/** Returns the names of the capabilities that the server has. A capability that is a list counts if the list is not empty. */
function listCapabilities(capabilities: Capabilities): string[] {
  return Object.entries(capabilities)
    .filter(([name, value]) => name !== 'version' && (Array.isArray(value) ? value.length > 0 : Boolean(value)))
    .map(([name]) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

function formatError(error: unknown): string {
  return ToolError.is(error) ? error.text : 'INTERNAL: the database cannot be used';
}
