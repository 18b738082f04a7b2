import { annotateCompletion } from '../metadata/annotation.ts';
import type { CompleteOptions } from '../metadata/options.ts';

/** What an argument may be: all of it, or with `hasMore` what was found before there was too much to look at. */
export type Candidates = readonly string[] | { readonly values: readonly string[]; readonly hasMore: boolean };

/** A method that gives candidates for an argument. */
type CompleteMethod = (
  value: string,
  given: Readonly<Record<string, string>>,
  context: never,
) => Candidates | Promise<Candidates>;

/**
 * Makes a method complete an argument: `(value, given, context) => candidates`.
 *
 * `value` is what was typed so far, `given` the arguments that are already filled in. All candidates may be returned: those
 * that do not match are left out, the best are sent first, and at most 100. One method may complete several arguments.
 *
 * A prompt, template or argument that the server has not is a definition error.
 */
export function Complete(
  options: CompleteOptions,
): <Method extends CompleteMethod>(prototype: object, member: string, method: TypedPropertyDescriptor<Method>) => void {
  return (prototype, member) => annotateCompletion(prototype, member, options);
}
