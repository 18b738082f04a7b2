import type { CommandOptions, Policy } from './repository.ts';

/** Lets the hooks of a command run, if the operator does. */
export function hooksOf({ allowHooks }: Policy): Pick<CommandOptions, 'config'> {
  return allowHooks ? { config: { 'core.hooksPath': undefined } } : {};
}

/**
 * Disables the hooks for changes of references that a configuration defines, unless the operator lets hooks run. Git 2.54 runs such
 * hooks, and Git 2.55 and later can disable them whatever their names are.
 */
export function hookSwitchOf({ allowHooks }: Policy): Readonly<Record<string, string>> {
  return allowHooks ? {} : { 'hook.reference-transaction.enabled': 'false' };
}
