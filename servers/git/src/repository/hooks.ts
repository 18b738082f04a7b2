import type { CommandOptions, Policy } from './repository.ts';

/** Lets the hooks of a command run, if the operator does. */
export function hooksOf({ allowHooks }: Policy): Pick<CommandOptions, 'config'> {
  return allowHooks ? { config: { 'core.hooksPath': undefined } } : {};
}
