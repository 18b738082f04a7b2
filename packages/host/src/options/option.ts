import { ClassSchema, DefinitionError, type Constructor, type JsonSchema } from '@org/mcp-decorators';

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

/** Names of the flags of the host, which an options class must not declare. */
const RESERVED = new Set(['help', 'version', 'config', 'dry-run']);

/** Returns the options that a class declares for a server. @throws DefinitionError if the class is not usable */
export function describeOptions(target: Constructor, serverName: string): readonly Option[] {
  const { input, problems } = ClassSchema.of(target);
  const reserved = Object.keys(input.properties)
    .filter((property) => RESERVED.has(toFlag(property)))
    .map((property) => `${target.name}.${property}: --${toFlag(property)} is an option of the host`);
  if (problems.length + reserved.length > 0) throw new DefinitionError([...problems, ...reserved]);
  return Object.entries(input.properties).map(([property, schema]) => {
    const flag = toFlag(property);
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
