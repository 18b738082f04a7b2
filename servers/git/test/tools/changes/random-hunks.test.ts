import { copyFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { createRandom, edit, EDITS_PER_FILE, writeLines, type Random } from '../../fixtures/random.ts';
import { connectGit, git, repositoryOf } from '../../fixtures/temporary.ts';

/** Number of random edits, in files of random lines. */
const EDITS = 2000;

interface Hunk {
  readonly id: string;
  readonly header: string;
  readonly lines: readonly string[];
}

/** Pairs the hunks of plain `git diff` with the ids of the tool, in order. */
async function hunksOf(session: Session, top: string, staged: boolean): Promise<readonly Hunk[]> {
  const text = git(top, ['diff', ...(staged ? ['--cached'] : []), '--diff-algorithm=default', '--unified=3']);
  const parts = text.split(/^(?=@@ -\d)/m).slice(1);
  const { _meta } = await session.call('git_hunks', { staged, limit: 10_000 });
  const { hunks } = _meta as { hunks: readonly { id: string }[] };
  expect(hunks).toHaveLength(parts.length);
  return parts.map((part, index) => {
    const [header = '', ...lines] = part.split('\n');
    return { id: hunks[index]?.id ?? '', header, lines: lines.slice(0, -1) };
  });
}

/** Returns the content of the index after plain `git apply --cached` of whole hunks, in a copy of the index. */
function applyWhole(top: string, hunks: readonly Hunk[], staged: boolean): string {
  const index = path.join(top, '.git/index-of-the-test');
  copyFileSync(path.join(top, '.git/index'), index);
  const [head = ''] = git(top, ['diff', ...(staged ? ['--cached'] : [])]).split(/^@@ /m, 1);
  const input = head + hunks.map(({ header, lines }) => [header, ...lines, ''].join('\n')).join('');
  const env = { GIT_INDEX_FILE: index };
  // Without the omitted earlier hunks, the line numbers of one side are wrong. git finds the lines by the numbers of the other
  // side.
  git(top, ['apply', '--cached', '--recount', '--whitespace=nowarn', ...(staged ? ['--reverse'] : []), '-'], { input, env });
  return git(top, ['show', ':file'], { env });
}

/** Returns the lines that a hunk leaves in the index if the selected lines are staged, or unstaged. */
function selectByHand(lines: readonly string[], selected: ReadonlySet<number>, staged: boolean): readonly string[] {
  const kept: string[] = [];
  let block: { sign: string; text: string; isSelected: boolean }[] = [];
  const end = (): void => {
    const sides = ['-', '+'].map((sign) => block.filter((line) => line.sign === sign));
    const longest = Math.max(...sides.map(({ length }) => length));
    for (let index = 0; index < longest; index += 1)
      for (const line of sides.flatMap((side) => side[index] ?? []))
        if (line.isSelected === ((line.sign === '-') === staged)) kept.push(line.text);
    block = [];
  };
  for (const [index, line] of lines.entries()) {
    const [sign = ''] = line;
    if (sign === ' ') {
      end();
      kept.push(line.slice(1));
    } else block.push({ sign, text: line.slice(1), isSelected: selected.has(index + 1) });
  }
  end();
  return kept;
}

/** Replaces the lines of a hunk in the content of the index. */
function replaceByHand(content: string, { header, lines }: Hunk, replacement: readonly string[], staged: boolean): string {
  const [, oldStart = '', newStart = ''] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(header) ?? [];
  const start = Math.max(0, Number(staged ? newStart : oldStart) - 1);
  const side = lines.filter((line) => line.startsWith(staged ? '+' : '-') || line.startsWith(' ')).length;
  return content
    .split('\n')
    .toSpliced(start, side, ...replacement)
    .join('\n');
}

/**
 * The content of the index after a call, and the content that plain git or the test computes. Both are empty if no hunk or line
 * was selected.
 */
interface Outcome {
  readonly found: string;
  readonly wanted: string;
}

/** Stages or unstages random hunks. */
async function moveHunks(session: Session, top: string, { random, staged }: Round): Promise<Outcome> {
  const chosen = (await hunksOf(session, top, staged)).filter(() => random(2) === 0);
  if (chosen.length === 0) return { found: '', wanted: '' };
  const wanted = applyWhole(top, chosen, staged);
  await session.call(staged ? 'git_unstage_hunks' : 'git_stage_hunks', { hunks: chosen.map(({ id }) => id) });
  return { found: git(top, ['show', ':file']), wanted };
}

/** Stages or unstages random lines of a random hunk. */
async function moveLines(session: Session, top: string, { random, staged }: Round): Promise<Outcome> {
  const hunks = await hunksOf(session, top, staged);
  const hunk = hunks[random(hunks.length + 1)];
  const numbers = (hunk?.lines ?? []).flatMap((line, index) => (!line.startsWith(' ') && random(2) === 0 ? [index + 1] : []));
  if (hunk === undefined || numbers.length === 0) return { found: '', wanted: '' };
  const left = selectByHand(hunk.lines, new Set(numbers), staged);
  const wanted = replaceByHand(git(top, ['show', ':file']), hunk, left, staged);
  await session.call(staged ? 'git_unstage_hunks' : 'git_stage_hunks', { hunks: [`${hunk.id}:${numbers.join(',')}`] });
  return { found: git(top, ['show', ':file']), wanted };
}

interface Round {
  readonly random: Random;
  readonly staged: boolean;
}

describe('random edits', () => {
  it.each([
    ['staged', false],
    ['unstaged', true],
  ])('that are %s in parts leave in the index what plain git leaves there', { timeout: 300_000 }, async (_, staged) => {
    const top = await repositoryOf([['Begin', { file: '\n' }]]);
    git(top, ['config', 'core.autocrlf', 'false']);
    await using session = await connectGit({ directories: [top] });
    const random = createRandom(staged ? 7 : 1);
    const outcomes: Outcome[] = [];
    for (let round = 0; round < EDITS / EDITS_PER_FILE; round += 1) {
      const before = writeLines(random, 200);
      await writeFile(path.join(top, 'file'), `${before.join('\n')}\n`);
      git(top, ['commit', '--quiet', '--all', '--message=x', '--allow-empty']);
      await writeFile(path.join(top, 'file'), `${edit(random, before).join('\n')}\n`);
      if (staged) git(top, ['add', 'file']);
      outcomes.push(await moveHunks(session, top, { random, staged }), await moveLines(session, top, { random, staged }));
    }
    expect(outcomes.map(({ found }) => found)).toEqual(outcomes.map(({ wanted }) => wanted));
    // Less than a quarter of the random choices select nothing.
    expect(outcomes.filter(({ found }) => found !== '').length).toBeGreaterThan(outcomes.length * 0.75);
  });
});
