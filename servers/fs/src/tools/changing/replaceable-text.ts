import { ToolError, type RequestContext } from '@org/mcp-decorators';
import { quotePath, type OpenDirectory } from '@org/mcp-roots';

import { readEditable, type EditableText } from '../../change/read-editable.ts';
import { normalizeText, type NormalizedText } from '../../edits/normalized-text.ts';
import type { Replacement, ReplacementQuery, TextReplacements } from '../../search/find-replacements.ts';
import type { Target } from '../../storage/target.ts';
import { runJob } from '../../threads/run-job.ts';
import type { Files } from '../files.ts';
import { sum } from '../notes.ts';

/** The text of a file with its replacements. */
export interface ReplaceableText extends EditableText {
  readonly target: Target;
  readonly normalized: NormalizedText;
  /** Positions in {@link ReplaceableText.normalized}, in order. */
  readonly found: readonly Replacement[];
}

type Unsearched = Omit<ReplaceableText, 'found'>;

/** Texts, and the number of binary files. */
export interface Texts {
  readonly texts: readonly Unsearched[];
  readonly binary: number;
}

/**
 * Reads the texts of files.
 *
 * @throws ToolError TOO_LARGE if all files together are too large; TOO_LARGE, NOT_FOUND, ENCODING or CONFLICT for one file, which
 * the message names
 */
export async function readTexts(files: Files, targets: readonly Target[], signal: AbortSignal): Promise<Texts> {
  const { maxReplaceBytes } = files.limits;
  const bytes = sum(targets.map(({ facts }) => Number(facts?.size ?? 0)));
  if (bytes > maxReplaceBytes)
    throw tooMuch(
      `the files to change (${targets.length}) have ${bytes} bytes, more than ${maxReplaceBytes}`,
      '--max-replace-bytes',
    );
  const texts: Unsearched[] = [];
  for (const target of targets) {
    signal.throwIfAborted();
    const file = await readEditable(files, target, target.shown).catch((error: unknown) => {
      throw ToolError.is(error) ? withPath(target.shown, error) : error;
    });
    if (file !== undefined) texts.push({ ...file, target, normalized: normalizeText(file.text) });
  }
  return { texts, binary: targets.length - texts.length };
}

/**
 * Finds the replacements in texts in a worker thread.
 *
 * @throws ToolError TIMEOUT, OVERLOADED; TOO_LARGE for too many matches or inserted characters
 */
export async function findReplacements(
  files: Files,
  directory: OpenDirectory,
  { texts, ...wanted }: Pick<ReplacementQuery, 'wanted' | 'replacement'> & { readonly texts: readonly Unsearched[] },
  context: Pick<RequestContext, 'signal'>,
): Promise<readonly ReplaceableText[]> {
  const { maxReplacements, maxReplaceBytes } = files.limits;
  const limits = { maxMatches: maxReplacements, maxCharacters: maxReplaceBytes };
  const query = { ...wanted, ...limits, texts: texts.map(({ normalized }) => normalized.text) };
  const found = new Map<number, readonly Replacement[]>();
  const take = ({ text, replacements }: TextReplacements): void => void found.set(text, replacements);
  const job = { kind: 'replacements', query, take } as const;
  const { end } = await runJob(files, directory, job, { signal: context.signal, progress: () => undefined });
  if (end === 'time') throw timeLimitReached();
  if (end === 'limit') throw tooMuch(`the files contain more than ${maxReplacements} matches`, '--max-replacements');
  if (end === 'size') throw tooMuch(`the replacements have more than ${maxReplaceBytes} characters`, '--max-replace-bytes');
  return texts.map((text, index) => ({ ...text, found: found.get(index) ?? [] }));
}

export function timeLimitReached(): ToolError {
  return new ToolError('TIMEOUT', 'the search reached its time limit; nothing was changed', {
    hint: 'narrow the directory, or use a simpler regular expression; the operator can raise the limit with --max-search-time',
  });
}

/** @param option the option with which the operator can raise the limit */
export function tooMuch(reason: string, option: string): ToolError {
  return new ToolError('TOO_LARGE', `${reason}; nothing was changed`, {
    hint: `narrow the search with path, include or exclude; the operator can raise the limit with ${option}`,
  });
}

function withPath(shown: string, { code, message, data, cause }: ToolError): ToolError {
  const named = message.includes(quotePath(shown)) ? message : `${quotePath(shown)}: ${message}`;
  return new ToolError(code, `${named}; nothing was changed`, {
    hint: 'omit the file with exclude, or try again',
    cause,
    ...(data && { data }),
  });
}
