import { ClassSchema, DefinitionError, type Constructor, type JsonSchema } from '@org/mcp-decorators';

/** One property of an options class, as the command line, the environment and `--help` know it. */
export interface Option {
  /** Its name in the class and in the config file: `logLevel`. */
  readonly property: string;
  /** `log-level`, given as `--log-level`. */
  readonly flag: string;
  /** `MCP_FS_LOG_LEVEL`. */
  readonly variable: string;
  readonly schema: JsonSchema;
  readonly kind: 'boolean' | 'value' | 'list';
  /** Not to be shown, nor written where others read it; declared by `@Field(…, { format: 'password' })`. */
  readonly secret: boolean;
  /** Names files or directories; declared by `@Field(…, { format: 'path' })`. */
  readonly path: boolean;
}

/** Flags that every program has and no class declares. */
const RESERVED = new Set(['help', 'version', 'config', 'dry-run']);

/** The options that a class declares, for a server of this name. Throws a `DefinitionError` if the class is not usable. */
export function optionsOf(target: Constructor, serverName: string): readonly Option[] {
  const { input, problems } = ClassSchema.of(target);
  const taken = Object.keys(input.properties)
    .filter((property) => RESERVED.has(flagOf(property)))
    .map((property) => `${target.name}.${property}: --${flagOf(property)} is the host's own option`);
  if (problems.length + taken.length > 0) throw new DefinitionError([...problems, ...taken]);
  return Object.entries(input.properties).map(([property, schema]) => {
    const flag = flagOf(property);
    const { format } = schema.items ?? schema;
    return {
      property,
      flag,
      variable: variableName(serverName, flag),
      schema,
      kind: kindOf(schema),
      secret: format === 'password',
      path: format === 'path',
    };
  });
}

/** `mcp-fs`, `log-level` → `MCP_FS_LOG_LEVEL`. */
export function variableName(serverName: string, flag: string): string {
  return `${serverName}_${flag}`.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
}

function flagOf(property: string): string {
  return property.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function kindOf({ type }: JsonSchema): Option['kind'] {
  if (type === 'boolean') return 'boolean';
  return type === 'array' ? 'list' : 'value';
}
