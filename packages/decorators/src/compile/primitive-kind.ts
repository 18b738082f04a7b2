import type { MemberKind } from '../metadata/annotation.ts';
import type { McpServerOptions, OverrideTable } from '../metadata/options.ts';
import type { MemberOptions } from './member.ts';
import { PROMPT_CHECKS, RESOURCE_CHECKS, TOOL_CHECKS, type Checks } from './option-checks.ts';

/** Differences between tools, resources and prompts for the compiler. */
export interface PrimitiveKind<Name extends MemberKind> {
  readonly name: Name;
  readonly checks: Checks;
  /** Option of `@McpServer` with the {@link OverrideTable} for this kind. */
  readonly table: 'tools' | 'resources' | 'prompts';
  readonly readTable: (options: McpServerOptions) => OverrideTable<MemberOptions<Name>> | undefined;
  /** Options of a member that an entry of this option may change. */
  readonly changeable: readonly string[];
}

export const TOOL: PrimitiveKind<'tool'> = {
  name: 'tool',
  checks: TOOL_CHECKS,
  table: 'tools',
  readTable: ({ tools }) => tools,
  changeable: [
    'description',
    'title',
    'annotations',
    'input',
    'scopes',
    'sets',
    'app',
    'timeoutMs',
    'maxConcurrent',
    'rateLimit',
    '_meta',
  ],
};

export const RESOURCE: PrimitiveKind<'resource'> = {
  name: 'resource',
  checks: RESOURCE_CHECKS,
  table: 'resources',
  readTable: ({ resources }) => resources,
  changeable: ['uriTemplate', 'description', 'title', 'mimeType', 'annotations', 'cache', '_meta'],
};

export const PROMPT: PrimitiveKind<'prompt'> = {
  name: 'prompt',
  checks: PROMPT_CHECKS,
  table: 'prompts',
  readTable: ({ prompts }) => prompts,
  changeable: ['description', 'title', 'args', '_meta'],
};
