import { Flag, ListOf, Result, Text, TextList, ToolError, type RequestContext } from '@org/mcp-decorators';

import { formatAccess, type SqlDatabase } from '../../engine/sql-database.ts';
import type { Databases } from '../../engine/databases.ts';

export class ServedDatabase {
  @Text('Id for tools and resource URIs') id!: string;
  @Text({ optional: true }) error?: string;
  @Text({ optional: true }) engine?: string;
  @Text({ optional: true }) version?: string;
  @Flag('execute cannot change the database') read_only!: boolean;
  @Text({ optional: true }) role?: string;
  @Flag('Started by this server; the data may be temporary') embedded!: boolean;
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
  const databases = all.map<ServedDatabase>(({ id, embedded = false, writable }, index) => {
    const facts = asked[index];
    const shared = { id, read_only: !writable, embedded };
    return facts?.status === 'fulfilled' ? { ...shared, ...facts.value } : { ...shared, error: formatError(facts?.reason) };
  });
  return Result.of({ databases } satisfies ServedDatabases, databases.map(formatDatabase).join('\n'));
}

function formatDatabase({ id, error, engine, version, role, embedded, read_only }: ServedDatabase): string {
  if (error !== undefined) return `${id}: cannot be used: ${error}`;
  return `${id}: ${engine} ${version}${embedded ? ', embedded' : ''}, ${formatAccess({ role, writable: !read_only })}`;
}

type Facts = Pick<ServedDatabase, 'engine' | 'version' | 'role' | 'capabilities' | 'extensions'>;

async function readFacts(database: SqlDatabase, context: RequestContext): Promise<Facts> {
  const { version, role, capabilities, extensions } = await database.facts(context);
  return {
    engine: database.engine.name,
    version,
    ...(role !== undefined && { role }),
    ...(capabilities !== undefined && { capabilities: [...capabilities] }),
    ...(extensions !== undefined && { extensions: [...extensions] }),
  };
}

function formatError(error: unknown): string {
  return ToolError.is(error) ? error.text : 'INTERNAL: the database cannot be used';
}
