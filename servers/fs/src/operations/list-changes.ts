import { Field, ToolError } from '@org/mcp-decorators';
import { IsInt, IsOptional, IsString, Max, Min, ValidateNested } from 'class-validator';

import type { Files } from '../files.ts';
import { pathsOf, type Change } from '../journal/change.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 200;
/** Changes that are looked at for one answer: those of others are not told of. */
const MOST_LOOKED_AT = 1000;
/** Of one change; there may be a thousand. */
const MOST_PATHS = 20;

export class ListChangesInput {
  @Field('Most changes, 20 by default')
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  limit?: number;

  @Field('nextCursor of the list before')
  @IsOptional()
  @IsString()
  cursor?: string;
}

export class ListedChange {
  @IsString()
  undoId!: string;

  @Field('ISO 8601')
  @IsString()
  time!: string;

  @IsString()
  tool!: string;

  @IsString({ each: true })
  paths!: string[];

  @Field('Paths that are not listed')
  @IsOptional()
  @IsInt()
  morePaths?: number;
}

export class ChangeList {
  @Field('The latest first', { type: () => ListedChange })
  @ValidateNested({ each: true })
  changes!: ListedChange[];

  @Field('There are earlier ones')
  @IsOptional()
  @IsString()
  nextCursor?: string;
}

/** Lists what can be undone of what this call may touch. */
export async function listChanges(files: Files, { limit = DEFAULT_LIMIT, cursor }: ListChangesInput): Promise<ChangeList> {
  const changes: ListedChange[] = [];
  let last = '';
  let looked = 0;
  for await (const change of files.changes.journal.list(cursor)) {
    if (changes.length === limit || looked === MOST_LOOKED_AT) return { changes, nextCursor: last };
    const paths = pathsIn(change);
    if (await mayTouch(files, paths)) changes.push(listedAs(change, paths));
    last = change.id;
    looked += 1;
  }
  return { changes };
}

function listedAs({ id, time, tool }: Change, paths: string[]): ListedChange {
  const morePaths = paths.length - MOST_PATHS;
  return { undoId: id, time, tool, paths: paths.slice(0, MOST_PATHS), ...(morePaths > 0 && { morePaths }) };
}

function pathsIn({ steps }: Change): string[] {
  return [...new Set(steps.flatMap(pathsOf))];
}

/** What is not there any more may have been touched. */
async function mayTouch({ roots }: Files, paths: readonly string[]): Promise<boolean> {
  for (const path of paths) {
    try {
      const place = await roots.placeToMove(path);
      await place[Symbol.asyncDispose]();
    } catch (error) {
      if (!ToolError.is(error)) throw error;
      if (HIDDEN.has(error.code)) return false;
    }
  }
  return true;
}

const HIDDEN: ReadonlySet<string> = new Set(['PATH_OUTSIDE_ROOTS', 'DENIED_BY_POLICY', 'ROOTS_REQUIRED', 'INVALID_PATH']);
