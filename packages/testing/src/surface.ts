import { compileServer } from '@org/mcp-decorators';

/**
 * A summary of the definitions that clients of a server class receive, short enough for a snapshot. The snapshot shows which
 * of them a change adds, removes or renames.
 */
export interface Surface {
  /** All tools, including tools outside the set `default`, in the order of `tools/list`. */
  readonly tools: readonly {
    readonly name: string;
    /** Names of the hints that are true. */
    readonly hints: readonly string[];
    readonly arguments: readonly string[];
    /** Property names of the structured content. */
    readonly result: readonly string[];
    readonly schemaBytes: number;
  }[];
  /** URIs and URI templates. */
  readonly resources: readonly string[];
  /** Names of the prompts. */
  readonly prompts: readonly string[];
  /** Size in bytes of the JSON of `tools/list` if all tools are offered. It takes up context in every conversation. */
  readonly manifestBytes: number;
}

/**
 * Returns the surface of a server class, or of a server object with its features.
 *
 * @throws DefinitionError if the class is invalid
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
      schemaBytes: Buffer.byteLength(JSON.stringify([inputSchema, outputSchema])),
    })),
    resources: [...resources.keys(), ...templates.map(({ definition }) => definition.uriTemplate)],
    prompts: [...prompts.keys()],
    manifestBytes: Buffer.byteLength(JSON.stringify({ tools: definitions })),
  };
}
