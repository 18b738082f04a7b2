import { isHarmless } from '../../../policy/functions/known-functions.ts';
import type { Row } from '../../../../rows/format.ts';

/** Effects of a statement that a rollback may not undo, and tables to lock. */
export interface Reached {
  /** Effects that a rollback may not undo, each as a predicate of the statement: `fires the trigger …`. */
  readonly effects: readonly string[];
  /** Tables to lock. While they are locked, the result remains valid until the statement runs. */
  readonly locks: readonly string[];
}

/**
 * Volatile functions whose effects a rollback undoes, or that have no effects. The keys are `pg_catalog` for built-in functions,
 * and the names of C libraries for functions of extensions. Functions that the policy considers harmless are not repeated here.
 */
const UNDONE: Readonly<Record<string, RegExp>> = {
  pg_catalog:
    /^(pg_sleep(_for|_until)?|pg_notify|lo_(creat|create|from_bytea|get|put|unlink)|pg_(try_)?advisory_xact_lock(_shared)?)$/,
  pgcrypto: /^(gen_salt|pgp_(sym|pub)_encrypt(_bytea)?)$/,
};

/** Converts the rows of `REACHED`. */
export function parseReached(rows: readonly Row[]): Reached {
  const found = rows.map(([kind, name, place, called, library]) => ({
    kind: kind ?? '',
    name: name ?? '',
    place: place ?? '',
    called: { name: called ?? '', owner: library ?? '' },
  }));
  const effects = found.flatMap(({ kind, name, place, called }) => {
    const isUndone = kind === 'function' && (isHarmless(called) || UNDONE[called.owner]?.test(called.name) === true);
    const effect = Object.hasOwn(EFFECTS, kind) ? EFFECTS[kind] : undefined;
    return isUndone || effect === undefined ? [] : [effect(name, place)];
  });
  // A confirmation is bound to the effects, so their order must not vary.
  return { effects: [...new Set(effects)].toSorted(), locks: found.flatMap(({ kind, name }) => (kind === 'lock' ? [name] : [])) };
}

const EFFECTS: Readonly<Record<string, (name: string, place: string) => string>> = {
  function: (name, place) => `calls the function ${name}${place === '' ? '' : ` (${place})`}`,
  trigger: (name, place) => `fires the trigger ${name} of ${place}`,
  rule: (name, place) => `applies the rule ${name} of ${place}`,
  sequence: (name, place) => `draws a number from the sequence of column ${name} of ${place}`,
  foreign: (name) => `reaches the foreign table ${name}`,
  system: (name) => `writes the system catalog ${name}`,
  storage: (name) => `reaches ${name}, whose access method belongs to an extension`,
  unlockable: (name) => `writes ${name}, which this role cannot lock`,
  unknown: (name) => `names the relation ${name}, which was not found in the catalogs`,
  blind: () => 'reaches objects that could not be looked up in the catalogs',
};

const MAX_NAMED = 3;

/** Writes why a statement has no preview. */
export function explainMissingPreview(effects: readonly string[]): string {
  const more = effects.length - MAX_NAMED;
  const named = [...effects.slice(0, MAX_NAMED), ...(more > 0 ? [`${more} more`] : [])];
  return `no preview: the statement was not run, because a rollback may not undo all of it: it ${named.join('; ')}`;
}
