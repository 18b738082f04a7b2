import { ClassSchema, DefinitionError, findNearestName, type Constructor, type JsonSchema } from '@org/mcp-decorators';

/** A property of an options class, with its flag and its environment variable. */
export interface Option {
  /** Name in the class and in the config file, such as `logLevel`. */
  readonly property: string;
  /** Name of the flag without dashes, such as `log-level`. */
  readonly flag: string;
  /** Environment variable, such as `MCP_FS_LOG_LEVEL`. */
  readonly variable: string;
  readonly schema: JsonSchema;
  readonly kind: 'boolean' | 'value' | 'list';
  /**
   * Whether the value must neither be shown nor written to files that other users read; declared by `format:
   * 'password'`.
   */
  readonly secret: boolean;
  /** Whether the value is the path of a file or a directory; declared by `format: 'path'`. */
  readonly path: boolean;
}

/** Headings of `--help`, each with the properties below it. */
export type OptionGroups = Readonly<Record<string, readonly string[]>>;

/** Changes of flags by property: another name without dashes, or `false` for a property without a flag. */
export type FlagChanges = Readonly<Record<string, string | false>>;

/** Names of the flags of the host, which an options class must not declare. */
const RESERVED = new Set(['help', 'version', 'config', 'dry-run', 'name']);

const FLAG = /^[a-z][a-z\d]*(?:-[a-z\d]+)*$/;

/**
 * Returns the options that a class declares for a server.
 *
 * @param isValid whether the class is known to have no mistakes, so that it is not checked
 * @throws DefinitionError if the class is not usable
 */
export function describeOptions(target: Constructor, serverName: string, isValid = false): readonly Option[] {
  const schema = ClassSchema.of(target);
  const { input } = schema;
  const changes = readFlagChanges(target);
  const flags = new Map(Object.keys(input.properties).map((property) => [property, changes[property] ?? toFlag(property)]));
  const problems = isValid ? [] : [...schema.problems, ...findFlagProblems(target, flags, changes)];
  if (problems.length > 0) throw new DefinitionError(problems);
  return Object.entries(input.properties).flatMap(([property, schema]) => {
    const flag = flags.get(property);
    if (flag === undefined || flag === false) return [];
    const { format } = schema.items ?? schema;
    return {
      property,
      flag,
      variable: toVariable(serverName, flag),
      schema,
      kind: getKind(schema),
      secret: format === 'password',
      path: format === 'path',
    };
  });
}

/**
 * Returns the headings that a class and its base classes declare, those of the class itself first. A property belongs to the first
 * heading that names it.
 */
export function readGroups(target: object): OptionGroups {
  const base: unknown = Object.getPrototypeOf(target);
  const inherited = typeof base === 'function' ? readGroups(base) : {};
  const own: unknown = Object.hasOwn(target, 'groups') ? Reflect.get(target, 'groups') : undefined;
  return { ...(typeof own === 'object' ? own : {}), ...inherited };
}

/** Merges the changes of a class with those of its base classes. */
function readFlagChanges(target: object): FlagChanges {
  const base: unknown = Object.getPrototypeOf(target);
  const inherited = typeof base === 'function' ? readFlagChanges(base) : {};
  const own: unknown = Object.hasOwn(target, 'flags') ? Reflect.get(target, 'flags') : undefined;
  return { ...inherited, ...(typeof own === 'object' ? own : {}) };
}

function findFlagProblems(
  target: Constructor,
  flags: ReadonlyMap<string, string | false>,
  changes: FlagChanges,
): readonly string[] {
  const unknown = Object.keys(changes).filter((property) => !flags.has(property));
  const owners = new Map<string, string>();
  const problems = unknown.map((property) => {
    const near = findNearestName(property, [...flags.keys()]);
    return `${target.name}.flags: "${property}" is not an option${near === undefined ? '' : `; did you mean "${near}"?`}`;
  });
  for (const [property, flag] of flags) {
    if (flag === false) continue;
    const place = `${target.name}.${property}`;
    const owner = owners.get(flag);
    if (!FLAG.test(flag)) problems.push(`${place}: "${flag}" is not the name of a flag; use lower-case words with hyphens`);
    else if (flag.startsWith('no-')) problems.push(`${place}: --${flag} would negate another flag; choose another name`);
    else if (RESERVED.has(flag))
      problems.push(`${place}: --${flag} is reserved for the command line of every server; choose another name`);
    else if (owner !== undefined) problems.push(`${place}: --${flag} is already the flag of "${owner}"`);
    owners.set(flag, property);
  }
  return problems;
}

/** Returns the environment variable of an option, such as `MCP_FS_LOG_LEVEL` for `mcp-fs` and `log-level`. */
export function toVariable(serverName: string, flag: string): string {
  return `${serverName}_${flag}`.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
}

function toFlag(property: string): string {
  return property.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function getKind({ type }: JsonSchema): Option['kind'] {
  if (type === 'boolean') return 'boolean';
  return type === 'array' ? 'list' : 'value';
}
