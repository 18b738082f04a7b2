import { Field, type RequestContext } from '@org/mcp-decorators';
import { IsBoolean, IsString, ValidateNested } from 'class-validator';

import type { Database } from '../database/database.ts';
import type { Databases } from '../database/databases.ts';

export class ServedDatabase {
  @Field('Its name, which is in the URIs of its tables')
  @IsString()
  id!: string;

  @IsString()
  engine!: string;

  @IsString()
  version!: string;

  @Field('Nothing can be written')
  @IsBoolean()
  read_only!: boolean;

  @Field('Whom statements run as')
  @IsString()
  role!: string;

  @Field('The server runs it itself; its data is temporary unless it was told where to keep it')
  @IsBoolean()
  embedded!: boolean;

  @Field('Extensions that are installed')
  @IsString({ each: true })
  extensions!: string[];
}

export class ServedDatabases {
  @Field('What can be queried', { type: () => ServedDatabase })
  @ValidateNested({ each: true })
  databases!: ServedDatabase[];
}

/** @throws ToolError those of `Database.readOnly` */
export async function listDatabases({ all }: Databases, context: RequestContext): Promise<ServedDatabases> {
  return { databases: await Promise.all(all.map((database) => servedDatabase(database, context))) };
}

async function servedDatabase(database: Database, context: RequestContext): Promise<ServedDatabase> {
  const { engine, version, role } = await database.identity();
  const extensions = await database.rows('select extname from pg_extension order by 1', [], context);
  return {
    id: database.id,
    engine,
    version,
    read_only: database.writer === undefined,
    role,
    embedded: database.source.embedded,
    extensions: extensions.map(([name]) => name ?? ''),
  };
}
