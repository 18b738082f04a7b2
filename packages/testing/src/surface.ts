import { compileServer } from '@org/mcp-decorators';

/** What clients see of a server class, short enough for a snapshot: a change of the product is then a visible difference. */
export interface Surface {
  /** In the order of `tools/list`. */
  readonly tools: readonly {
    readonly name: string;
    /** The hints that are set. */
    readonly hints: readonly string[];
    readonly arguments: readonly string[];
    /** Properties of the structured content. */
    readonly result: readonly string[];
    readonly schemaBytes: number;
  }[];
  /** URIs and URI templates. */
  readonly resources: readonly string[];
  /** Names. */
  readonly prompts: readonly string[];
  /** Bytes of the JSON of `tools/list`: what every conversation pays for. */
  readonly manifestBytes: number;
}

/**
 * The surface of a server class, or of a server object with its features.
 *
 * @throws DefinitionError if it is not usable
 */
export function surface(server: object): Surface {
  const { tools, resources, templates, prompts } = compileServer(server);
  const definitions = [...tools.values()].map(({ definition }) => definition);
  return {
    tools: definitions.map(({ name, annotations = {}, inputSchema, outputSchema }) => ({
      name,
      hints: Object.entries(annotations).flatMap(([hint, value]) => (value ? [hint] : [])),
      arguments: Object.keys(inputSchema.properties ?? {}),
      result: Object.keys(outputSchema?.properties ?? {}),
      schemaBytes: JSON.stringify([inputSchema, outputSchema]).length,
    })),
    resources: [...resources.keys(), ...templates.map(({ definition }) => definition.uriTemplate)],
    prompts: [...prompts.keys()],
    manifestBytes: Buffer.byteLength(JSON.stringify({ tools: definitions })),
  };
}
