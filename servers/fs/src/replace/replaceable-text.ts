import { ToolError, type RequestContext } from '@org/mcp-decorators';
import { spelled, type OpenDirectory } from '@org/mcp-roots';

import type { Files } from '../files.ts';
import { inThread } from '../walk/in-thread.ts';
import type { TextReplacements, Replacement, ReplacementQuery } from '../walk/job.ts';
import { evenText, type EvenText } from '../write/edits/line-ends.ts';
import { readEditable, type EditableText } from '../write/edits/read-editable.ts';
import type { Target } from '../write/write-atomically.ts';

/** A text with what is to be replaced in it. */
export interface ReplaceableText extends EditableText {
  readonly target: Target;
  readonly even: EvenText;
  /** Where it is in {@link ReplaceableText.even}, in order. */
  readonly found: readonly Replacement[];
}

type Unsearched = Omit<ReplaceableText, 'found'>;

/** Texts, and how many files are none. */
export interface Texts {
  readonly texts: readonly Unsearched[];
  readonly binary: number;
}

/** @throws ToolError TOO_LARGE, ENCODING, CONFLICT; each names the file */
export async function readTexts(files: Files, targets: readonly Target[], signal: AbortSignal): Promise<Texts> {
  const { maxReplaceBytes } = files.limits;
  const bytes = targets.reduce((sum, { facts }) => sum + Number(facts?.size ?? 0), 0);
  if (bytes > maxReplaceBytes)
    throw tooMuch(`the ${targets.length} files have ${bytes} bytes, more than ${maxReplaceBytes}`, '--max-replace-bytes');
  const texts: Unsearched[] = [];
  for (const target of targets) {
    signal.throwIfAborted();
    const file = await readEditable(files, target, target.shown).catch((error: unknown) => {
      throw ToolError.is(error) ? naming(target.shown, error) : error;
    });
    if (file !== undefined) texts.push({ ...file, target, even: evenText(file.text) });
  }
  return { texts, binary: targets.length - texts.length };
}

/**
 * Finds in a thread what is to be replaced in texts, and what comes there.
 *
 * @throws ToolError TIMEOUT, TOO_LARGE
 */
export async function findIn(
  files: Files,
  directory: OpenDirectory,
  { texts, ...asked }: Pick<ReplacementQuery, 'wanted' | 'replacement'> & { readonly texts: readonly Unsearched[] },
  context: Pick<RequestContext, 'signal'>,
): Promise<readonly ReplaceableText[]> {
  const { maxReplacements, maxReplaceBytes } = files.limits;
  const limits = { maxMatches: maxReplacements, maxCharacters: maxReplaceBytes };
  const query = { ...asked, ...limits, texts: texts.map(({ even }) => even.text) };
  const found = new Map<number, readonly Replacement[]>();
  const take = ({ text, replacements }: TextReplacements): void => void found.set(text, replacements);
  const order = { kind: 'replacements', query, take } as const;
  const summary = await inThread(files, directory, order, { signal: context.signal, progress: () => undefined });
  if (summary.end === 'time') throw outOfTime();
  if (summary.end === 'limit') throw tooMuch(`there are more than ${maxReplacements} occurrences`, '--max-replacements');
  if (summary.end === 'size')
    throw tooMuch(`more than ${maxReplaceBytes} characters would come into the files`, '--max-replace-bytes');
  return texts.map((text, index) => ({ ...text, found: found.get(index) ?? [] }));
}

export function outOfTime(): ToolError {
  return new ToolError('TIMEOUT', 'the search took longer than it may; nothing was changed', {
    hint: 'narrow the directory, or use a simpler regular expression; the operator raises the limit by --max-search-ms',
  });
}

/** @param option by which the operator raises the limit */
export function tooMuch(what: string, option: string): ToolError {
  return new ToolError('TOO_LARGE', `${what}; nothing was changed`, {
    hint: `narrow it by path, include or exclude; the operator raises the limit by ${option}`,
  });
}

function naming(shown: string, { code, message, data, cause }: ToolError): ToolError {
  const named = message.includes(spelled(shown)) ? message : `${spelled(shown)}: ${message}`;
  return new ToolError(code, `${named}; nothing was changed`, {
    hint: 'leave the file out with exclude, or try again',
    cause,
    ...(data && { data }),
  });
}
