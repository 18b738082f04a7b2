import { annotateCompletion } from '../metadata/annotation.ts';
import { refuseMissingParentheses } from '../metadata/misuse.ts';
import type { CompleteOptions } from '../metadata/options.ts';

/** Candidates for an argument: all of them, or an incomplete list with `hasMore: true`. */
export type Candidates = readonly string[] | { readonly values: readonly string[]; readonly hasMore: boolean };

/** A method that returns candidates for an argument. */
type CompleteMethod = (
  value: string,
  given: Readonly<Record<string, string>>,
  context: never,
) => Candidates | Promise<Candidates>;

/**
 * Makes a method complete an argument: `(value, given, context) => candidates`.
 *
 * `value` is the text typed so far; `given` contains the arguments that are already filled in. The method may return all
 * candidates: the best 100 that match `value` are sent. One method may complete several arguments.
 *
 * An unknown prompt, template or argument is a definition error.
 */
export function Complete(
  options: CompleteOptions,
): <Method extends CompleteMethod>(prototype: object, member: string, method: TypedPropertyDescriptor<Method>) => void;
export function Complete(options: CompleteOptions, decorated?: unknown): (prototype: object, member: string) => void {
  refuseMissingParentheses('@Complete', options, decorated);
  return (prototype, member) => annotateCompletion(prototype, member, options);
}
