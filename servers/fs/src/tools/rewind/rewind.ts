import { Flag, Result, Text, ToolError, type RequestContext } from '@org/mcp-decorators';

import { listPaths, type Change, type PutStep } from '../../journal/change.ts';
import { checkpointNotFound, type Checkpoint } from '../../journal/checkpoints.ts';
import type { Snapshot } from '../../journal/snapshot.ts';
import type { CompanionPlan } from '../../rewind/companion.ts';
import { createSteps } from '../../rewind/create-steps.ts';
import { makeSteps } from '../../rewind/make-steps.ts';
import { RewindPlan, type RewindConflict } from '../../rewind/rewind-plan.ts';
import { VirtualFiles } from '../../rewind/virtual-files.ts';
import { visibleName } from '../../text/format.ts';
import { undoNote } from '../changing/change-result.ts';
import type { Files } from '../files.ts';
import { formatCount } from '../notes.ts';
import { ResultBudget } from '../result-budget.ts';
import { canAccess } from '../undo/list-changes.ts';
import { checkpoint } from './checkpoint.ts';

export class RewindInput {
  @Text('Name or id of a checkpoint, or the undoId of the first change to take back', { minLength: 1 }) to!: string;
  @Flag('Make the changes; without it, only the plan is shown', { optional: true }) apply?: boolean;
  @Flag('Lose later edits that cannot be merged', { optional: true }) force?: boolean;
  @Flag('Rewind as far as the stored changes reach, and leave paths that cannot be taken back', { optional: true })
  partial?: boolean;
}

const ACTIONS = ['create', 'delete', 'restore', 'merge'] as const;

/** A path that a rewind changes; `merge` keeps later edits of the file. */
interface RewoundPath {
  readonly path: string;
  readonly action: (typeof ACTIONS)[number];
}

/** A plan, or the rewind that was made. */
export interface Rewound {
  readonly applied: boolean;
  /** Number of changes that are taken back. */
  readonly changes: number;
  readonly paths: readonly RewoundPath[];
  /** Changes beside the files, such as branches that move; absent without a recorded state that differs. */
  readonly others?: readonly string[];
  /** Paths that cannot be taken back. */
  readonly conflicts: readonly RewindConflict[];
  /** Id of the checkpoint to which a second rewind returns, to undo this rewind; absent if only files were rewound. */
  readonly checkpoint?: string;
  /** Id with which undo_change undoes the rewind of the files; absent if no file was changed. */
  readonly undoId?: string;
}

/**
 * Plans to take back all changes that these tools made since a moment; `apply` makes the rewind. Later edits by other programs
 * are merged; an edit that cannot be merged is a conflict. The rewind can be undone.
 *
 * @throws ToolError NOT_FOUND, CONFLICT, TOO_LARGE, READ_ONLY, DENIED_BY_POLICY, TIMEOUT, NO_SPACE, IO
 */
export async function rewind(files: Files, input: RewindInput, context: RequestContext): Promise<Rewound> {
  const { signal } = context;
  const { limits } = files;
  const { since, found } = await findChanges(files, input);
  const beside = await planCompanion(files, found, context);
  const virtual = new VirtualFiles({ roots: files.roots, signal, maxEntries: limits.maxTreeEntries });
  const plan = await planRewind(files, virtual, { since, isForced: input.force === true, context });
  const { steps, replaced } = await createSteps(virtual);
  requireFewSteps(steps.length, limits);
  const conflicts = [...plan.conflicts, ...replaced.map((path) => ({ path, reason: REPLACED })), ...beside.conflicts];
  const paths = await listPathsOf(virtual, plan.merged);
  const others = beside.changes.length === 0 ? {} : { others: beside.changes };
  const planned = { applied: false, changes: since.length, paths, ...others, conflicts };
  if (input.apply !== true) return planned;
  if (conflicts.length > 0 && input.partial !== true) throw refuse(conflicts);
  const done = { ...planned, applied: true };
  if (beside.state !== undefined) return rewindBoth(files, { input, virtual, steps, since: since.length, done, beside }, context);
  return steps.length === 0
    ? done
    : { ...done, undoId: await applySteps(files, { virtual, steps, since: since.length }, context) };
}

interface CompanionState extends CompanionPlan {
  /** The recorded state; `undefined` if nothing beside the files is rewound. */
  readonly state: unknown;
}

async function planCompanion(
  { companion }: Files,
  found: Checkpoint | undefined,
  context: RequestContext,
): Promise<CompanionState> {
  if (companion === undefined || found?.state === undefined) return { changes: [], conflicts: [], state: undefined };
  return { ...(await companion.plan(found.state, context)), state: found.state };
}

interface BothParts extends AppliedSteps {
  readonly input: RewindInput;
  readonly done: Rewound;
  readonly beside: CompanionState;
}

/** Rewinds the files, then the state beside them. A new checkpoint makes it possible to take back both. */
async function rewindBoth(files: Files, parts: BothParts, context: RequestContext): Promise<Rewound> {
  const { input, steps, done, beside } = parts;
  const made = await checkpoint(files, { name: `before a rewind to ${input.to}`.slice(0, 100) }, context);
  const undoId = steps.length === 0 ? undefined : await applySteps(files, parts, context);
  const restored = files.companion?.restore(beside.state, context).catch((error: unknown) => {
    throw addWayBack(error, made.checkpoint);
  });
  const left = (await restored) ?? [];
  const conflicts = new Map([...done.conflicts, ...left].map((conflict) => [conflict.path, conflict]));
  return { ...done, conflicts: [...conflicts.values()], checkpoint: made.checkpoint, ...(undoId !== undefined && { undoId }) };
}

/** Adds to the error of a half-made rewind how to take the first half back. */
function addWayBack(error: unknown, checkpointId: string): unknown {
  if (!ToolError.is(error)) return error;
  const { code, message, hint } = error;
  const back = `the files were rewound already; rewind to ${checkpointId} takes that back`;
  return new ToolError(code, message, { hint: hint === undefined ? back : `${hint}; ${back}`, cause: error });
}

interface AppliedSteps {
  readonly virtual: VirtualFiles;
  readonly steps: readonly PutStep[];
  /** Number of changes that were planned, for the progress. */
  readonly since: number;
}

async function applySteps(files: Files, { virtual, steps, since }: AppliedSteps, context: RequestContext): Promise<string> {
  const onProgress = (done: number, total: number): void => context.progress(since + done, since + total);
  const request = {
    tool: 'rewind',
    files: virtual,
    steps,
    maxEntries: files.limits.maxTreeEntries,
    storedBytes: 0,
    signal: context.signal,
    onProgress,
  };
  return makeSteps(files, request);
}

const REPLACED = 'became a directory, or was a directory; undo_change undoes that change';

interface PlannedRewind {
  /** The changes to take back, the latest first. */
  readonly since: readonly Change[];
  readonly isForced: boolean;
  readonly context: RequestContext;
}

/** Takes back changes in virtual files, and reports the number of changes as progress. */
async function planRewind(
  { roots, changes, limits }: Files,
  virtual: VirtualFiles,
  { since, isForced, context }: PlannedRewind,
): Promise<RewindPlan> {
  const { signal } = context;
  const { contents } = changes.journal;
  const plan = new RewindPlan({ roots, contents, files: virtual, signal, maxMergeBytes: limits.maxMergeBytes, isForced });
  for (const [index, change] of since.entries()) {
    await plan.takeBack(change);
    context.progress(index + 1, since.length);
  }
  await plan.requireContents();
  return plan;
}

function requireFewSteps(count: number, { maxRewindFiles }: Files['limits']): void {
  if (count <= maxRewindFiles) return;
  throw new ToolError('TOO_LARGE', `the rewind would change ${count} files and directories; the limit is ${maxRewindFiles}`, {
    hint: 'nothing was changed; rewind to a later moment, or ask the operator to raise --max-rewind-files',
  });
}

/**
 * The accessible changes since a moment, the latest first. `found` is the checkpoint that names the moment, or `undefined` if the
 * id of a change names it.
 */
interface Moment {
  readonly since: readonly Change[];
  readonly found: Checkpoint | undefined;
}

/**
 * Finds the changes to take back.
 *
 * @throws ToolError NOT_FOUND if `to` names neither a checkpoint nor an accessible change; the code of {@link selectStored}
 */
async function findChanges(files: Files, { to, partial }: RewindInput): Promise<Moment> {
  const { journal, checkpoints } = files.changes;
  const found = await checkpoints.find(to);
  const since = await listSince(files, found?.id ?? '', to);
  if (found === undefined && since.at(-1)?.id !== to) throw checkpointNotFound(to);
  return { since: selectStored(since, await journal.findLastRemoved(), { moment: found?.id ?? to, partial }), found };
}

/** Lists the accessible changes with ids after `after`, the latest first. If the change `last` occurs, it ends the list. */
async function listSince(files: Files, after: string, last: string): Promise<readonly Change[]> {
  const since: Change[] = [];
  for await (const change of files.changes.journal.list()) {
    if (change.id <= after) break;
    if (await canAccess(files, listPaths(change.steps))) since.push(change);
    if (change.id === last) break;
  }
  return since;
}

/**
 * Returns all changes if every change since the moment is stored. Otherwise, returns the changes after the last removed one if
 * `partial` is set.
 *
 * @throws ToolError NOT_FOUND otherwise
 */
function selectStored(
  since: readonly Change[],
  removed: string | undefined,
  { moment, partial }: { readonly moment: string; readonly partial: boolean | undefined },
): readonly Change[] {
  if (removed === undefined || removed < moment) return since;
  if (partial === true) return since.filter(({ id }) => id > removed);
  throw new ToolError('NOT_FOUND', `cannot go back so far: the change ${removed} is no longer stored`, {
    hint: 'nothing was changed; partial takes back the changes after it; the operator can raise --max-journal-bytes',
  });
}

function refuse(conflicts: readonly RewindConflict[]): ToolError {
  const shown = conflicts.slice(0, 5).map(({ path, reason }) => `${visibleName(path)} ${reason}`);
  const more = conflicts.length > shown.length ? `; and ${conflicts.length - shown.length} more` : '';
  return new ToolError(
    'CONFLICT',
    `${formatCount(conflicts.length, 'path', 'paths')} cannot be taken back: ${shown.join('; ')}${more}`,
    {
      hint: 'nothing was changed; partial leaves these paths as they are; force loses later edits, but cannot resolve other conflicts',
      data: { paths: conflicts.map(({ path }) => path) },
    },
  );
}

async function listPathsOf(files: VirtualFiles, merged: ReadonlySet<string>): Promise<readonly RewoundPath[]> {
  const paths: RewoundPath[] = [];
  for (const path of await files.listChanged()) {
    const [before, after] = [await files.readDisk(path), await files.get(path)];
    paths.push({ path, action: merged.has(path) ? 'merge' : getAction(before, after) });
  }
  return paths;
}

function getAction(before: Pick<Snapshot, 'type'>, after: Pick<Snapshot, 'type'>): RewoundPath['action'] {
  if (before.type === 'none') return 'create';
  return after.type === 'none' ? 'delete' : 'restore';
}

/** Creates a result with as many paths as fit into half of `maxBytes`; the conflicts come first. */
export function rewindResult(rewound: Rewound, maxBytes: number): Result {
  const budget = new ResultBudget(maxBytes / 2);
  const conflicts = rewound.conflicts.filter((each) => budget.take(each));
  const paths = rewound.paths.filter((each) => budget.take(each));
  const others = (rewound.others ?? []).filter((each) => budget.take(each));
  const all = rewound.conflicts.length + rewound.paths.length + (rewound.others?.length ?? 0);
  const more = all - conflicts.length - paths.length - others.length;
  const lines = [
    describe(rewound),
    ...conflicts.map(({ path, reason }) => `conflict ${visibleName(path)} ${reason}`),
    ...paths.map(({ path, action }) => `${action} ${visibleName(path)}`),
    ...others,
    ...(more > 0 ? [`[${formatCount(more, 'path is', 'paths are')} not shown.]`] : []),
  ];
  return Result.of(
    { ...rewound, conflicts, paths, ...(others.length > 0 && { others }), ...(more > 0 && { more }) },
    lines.join('\n'),
  );
}

function describe(rewound: Rewound): string {
  const changes = formatCount(rewound.changes, 'change', 'changes');
  if (!rewound.applied) return `Plan to take back ${changes}; nothing was changed, apply makes the changes`;
  if (rewound.checkpoint !== undefined) return `Took back ${changes}; undo with rewind to ${rewound.checkpoint} and apply: true`;
  if (rewound.undoId === undefined) return `Nothing to take back; ${changes} since`;
  return `Took back ${changes}${undoNote(rewound)}`;
}
