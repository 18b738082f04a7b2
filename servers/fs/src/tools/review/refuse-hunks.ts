import { Field, Result, Text, ToolError, type RequestContext } from '@org/mcp-decorators';
import { quotePath } from '@org/mcp-roots';
import { ArrayMaxSize } from 'class-validator/cjs/decorator/array/ArrayMaxSize.js';
import { ArrayMinSize } from 'class-validator/cjs/decorator/array/ArrayMinSize.js';
import { Min } from 'class-validator/cjs/decorator/number/Min.js';
import { IsInt } from 'class-validator/cjs/decorator/typechecker/IsInt.js';

import { changeFile, type ChangedFile } from '../../change/change-file.ts';
import { withFile } from '../../change/with-targets.ts';
import { visibleName } from '../../text/format.ts';
import { changeResult } from '../changing/change-result.ts';
import type { Files } from '../files.ts';
import { formatCount } from '../notes.ts';
import { compareVersions, listPlaces, restoreHunks } from './compare-versions.ts';
import { getAccessible } from './review-change.ts';

const MAX_HUNKS = 1000;

export class RefuseHunksInput {
  @Text('From a change or list_changes') undoId!: string;
  @Text('One of the files of the change') path!: string;
  @Text('Etag of the file in review_change') ifMatch!: string;

  @Field('Numbers of hunks in review_change')
  @IsInt({ each: true })
  @Min(0, { each: true })
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_HUNKS)
  hunks!: number[];
}

/** A file in which hunks have their old lines again. */
export interface RefusedHunks extends ChangedFile {
  /** Number of hunks that have their old lines again. */
  readonly refused: number;
}

/**
 * Gives some hunks of a changed file the lines that they had before the change. The other hunks stay. The result can be undone.
 *
 * @throws ToolError INVALID_ARGUMENTS, NOT_FOUND, CONFLICT, ENCODING, TOO_LARGE, NO_SPACE, TIMEOUT, and the codes of
 * `Roots.findEntryToWrite`
 */
export async function refuseHunks(files: Files, input: RefuseHunksInput, { signal }: RequestContext): Promise<RefusedHunks> {
  const { undoId, path, hunks } = input;
  const change = await getAccessible(files, undoId);
  return withFile(files, input, signal, async (target) => {
    const place = listPlaces(change).find((each) => each.path === target.shown);
    if (place === undefined) throw new ToolError('INVALID_ARGUMENTS', `the change ${undoId} does not concern ${quotePath(path)}`);
    const versions = await compareVersions(files, target, place);
    if (versions === undefined || place.old.type === 'none')
      throw new ToolError('INVALID_ARGUMENTS', `${quotePath(path)} has no hunks that can be refused`, {
        hint: 'undo_change takes back the whole change',
      });
    const numbers = new Set(hunks);
    const unknown = hunks.find((number) => number >= versions.hunks.length);
    if (unknown !== undefined)
      throw new ToolError(
        'INVALID_ARGUMENTS',
        `there is no hunk ${unknown}; the file has ${formatCount(versions.hunks.length, 'hunk', 'hunks')}, counted from 0`,
      );
    const content = await versions.current.encode(restoreHunks(versions, numbers));
    return { ...(await changeFile(files, target, { tool: 'refuse_hunks', content }, signal)), refused: numbers.size };
  });
}

export function refusedHunksResult(refused: RefusedHunks): Result {
  const { path, refused: count } = refused;
  return changeResult(refused, `Refused ${formatCount(count, 'hunk', 'hunks')} of ${visibleName(path)}`, [path]);
}
